import * as z from 'zod';
import type { DocumentClient } from '../../platform/store/client.ts';
import {
  type Item,
  ifMissing,
  keep,
  leave,
  putMissing,
  type RestorableTable,
  type RestoredTables,
  type RestoringWrite,
  startsWith,
  write,
} from '../../platform/store/restored-items.ts';
import { endedKey } from './ended-registration-key.ts';

const userSchema = z.object({
  user_sub: z.string(),
  registration_id: z.string(),
  version: z.int(),
  is_removed: z.boolean().default(false),
});
const linkSchema = z.object({
  pk: z.string(),
  sk: z.string(),
  application_user_sub: z.string(),
  registration_id: z.string(),
  user_sub: z.string(),
});
const forwardSchema = z.object({ pk: z.string(), sk: z.string(), application_user_sub: z.string() });

/** Refuses what belongs to a registration that has ended. */
export const hasNotEnded = (walletsTable: string, registrationId: string): RestoringWrite => ({
  ConditionCheck: {
    TableName: walletsTable,
    Key: endedKey(registrationId),
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Refuses what belongs to another registration than the user's, or to a user who is not there. */
export const isStillRegistered = (
  usersTable: string,
  { user_sub, registration_id }: Pick<z.output<typeof userSchema>, 'user_sub' | 'registration_id'>,
): RestoringWrite => ({
  ConditionCheck: {
    TableName: usersTable,
    Key: { user_sub },
    ConditionExpression: 'registration_id = :registration AND attribute_not_exists(is_removed)',
    ExpressionAttributeValues: { ':registration': registration_id },
  },
});

export const stored = async (
  client: Pick<DocumentClient, 'get'>,
  TableName: string,
  Key: Record<string, string>,
): Promise<Item | undefined> => (await client.get({ TableName, Key, ConsistentRead: true })).Item;

/**
 * A user comes back if it is missing, or if the live table has an earlier version of the same registration. A user who
 * was deleted since does not come back: the registration has ended.
 */
export const restoredUsers = (
  { live: { client, tableName } }: RestoredTables,
  { walletsTable }: { readonly walletsTable: string },
): RestorableTable => ({
  keys: ['user_sub'],
  timeToLive: 'expires_at',
  kinds: [
    {
      name: 'user',
      matches: startsWith('', 'user_sub'),
      decide: async (item, live) => {
        const restored = userSchema.parse(item);
        const { registration_id: registrationId } = restored;
        if (live === undefined && restored.is_removed) return write(putMissing(tableName, item, 'user_sub'));
        const known = userSchema.optional().parse(live);
        const isNewer =
          known === undefined ||
          (known.registration_id === registrationId && known.version < restored.version);
        if (!isNewer) return keep;
        if ((await stored(client, walletsTable, endedKey(registrationId))) !== undefined) return leave;
        if (known === undefined)
          return write(putMissing(tableName, item, 'user_sub'), hasNotEnded(walletsTable, registrationId));
        return write(
          {
            Put: {
              TableName: tableName,
              Item: item,
              ConditionExpression: 'registration_id = :registration AND version = :version',
              ExpressionAttributeValues: { ':registration': registrationId, ':version': known.version },
            },
          },
          hasNotEnded(walletsTable, registrationId),
        );
      },
    },
  ],
});

/**
 * The two items of an application user sub come back together, as they were written, and only for a registration that
 * is the user's. Nothing comes back where the registration has got another identifier since.
 */
export const restoredSubs = (
  { live: { client, tableName }, restored: source }: RestoredTables,
  { usersTable }: { readonly usersTable: string },
): RestorableTable => {
  const decide = async (item: Item, isLive: (pair: Item) => boolean) => {
    const { pk, sk, application_user_sub: sub } = forwardSchema.parse(item);
    const isForward = pk.startsWith('REGISTRATION#');
    const other = isForward
      ? await stored(source.client, source.tableName, { pk: `SUB#${sub}`, sk })
      : await stored(source.client, source.tableName, {
          pk: `REGISTRATION#${linkSchema.parse(item).registration_id}`,
          sk,
        });
    const pair = isForward ? { forward: item, reverse: other } : { forward: other, reverse: item };
    const reverse = linkSchema.safeParse(pair.reverse).data;
    const forward = forwardSchema.safeParse(pair.forward).data;
    if (reverse === undefined || forward?.application_user_sub !== reverse.application_user_sub) return leave;
    const read = ({ pk, sk }: { readonly pk: string; readonly sk: string }) =>
      stored(client, tableName, { pk, sk });
    const [liveForward, liveReverse, user] = await Promise.all([
      read(forward),
      read(reverse),
      stored(client, usersTable, { user_sub: reverse.user_sub }),
    ]);
    if (isLive(isForward ? (liveForward ?? {}) : (liveReverse ?? {}))) return keep;
    if (liveForward !== undefined && liveForward.application_user_sub !== forward.application_user_sub)
      return leave;
    if (user?.registration_id !== reverse.registration_id || user.is_removed === true) return leave;
    const missing = [
      ...(liveForward === undefined ? [pair.forward] : []),
      ...(liveReverse === undefined ? [pair.reverse] : []),
    ];
    const puts = missing.map((each) => putMissing(tableName, each ?? {}));
    return write(isStillRegistered(usersTable, reverse), ...puts);
  };
  const has = ({ pk }: Item): boolean => pk !== undefined;
  const kind = (name: string, prefix: string) => ({
    name,
    matches: startsWith(prefix),
    decide: async (item: Item, live: Item | undefined) => (live === undefined ? decide(item, has) : keep),
  });
  return {
    keys: ['pk', 'sk'],
    timeToLive: 'expires_at',
    kinds: [
      { name: 'ended registration', matches: startsWith('ENDED#'), decide: ifMissing(tableName) },
      kind('identifier of a user', 'REGISTRATION#'),
      kind('user of an identifier', 'SUB#'),
    ],
  };
};
