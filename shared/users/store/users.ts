import { isRefusal } from '../../platform/aws/service-error.ts';
import { laterPartOf, tellLaterData } from '../../platform/later-data.ts';
import { logger } from '../../platform/logger.ts';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import { isConflict, scanPages, type Table } from '../../platform/store/client.ts';
import { millisecondsOf } from '../../platform/time/date-time.ts';
import { UserChangedMeanwhileError } from '../errors.ts';
import type { UnreadableUser, Users, UserTrace } from '../ports/users.ts';
import { tombstoneRetentionMilliseconds, type User } from '../user.ts';
import { putIdentifier } from './application-user-subs.ts';
import { endedKey, endedPrefix } from './ended-registration-key.ts';
import {
  changeSchema,
  countsItem,
  endedSchema,
  itemSchema,
  knownAttributes,
  registrationSchema,
  toItem,
  tombstoneSchema,
  traceSchema,
} from './user-items.ts';

/** The maximum length of a DynamoDB partition key ("Quotas in DynamoDB", partition key length). */
const maximumKeyBytes = 2_048;

/** DynamoDB refuses a whole batch if one key is empty, too long or not Unicode. No user has such a key. */
const isPossible = (userSub: string): boolean =>
  userSub !== '' && userSub.isWellFormed() && Buffer.byteLength(userSub) <= maximumKeyBytes;

/**
 * A registration begins where nothing was stored, or with the tombstone that was read. It never replaces the tombstone
 * of another registration: a write that is executed late must not bring a deleted user back.
 */
const isNothing = 'attribute_not_exists(user_sub)';
const isTheTombstoneRead = 'is_removed = :yes AND registration_id = :ended';
/** After a deletion and a new registration the version numbers begin again, so the registration is compared too. */
const isTheVersionRead = 'registration_id = :registration AND version = :read';

/** The condition that what tells an item from others is still stored as it was read, of whatever type it is. */
const isAsStored = (item: Readonly<Record<string, unknown>>) => {
  const names = ['registration_id', 'version'];
  const there = names.filter((name) => item[name] !== undefined);
  return {
    ConditionExpression: [
      'attribute_exists(user_sub)',
      ...names.map((name) => (there.includes(name) ? `${name} = :${name}` : `attribute_not_exists(${name})`)),
    ].join(' AND '),
    ...(there.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(there.map((name) => [`:${name}`, item[name]])),
    }),
  };
};

export const dynamoDbUsers = ({
  client,
  tableName,
  walletsTableName,
  subsTableName,
}: Table & {
  /** The wallets table, where the registrations of deleted users end. Needed only to delete users and to find them. */
  readonly walletsTableName?: string;
  /** The table of the applications' identifiers. Needed only to register users of an application. */
  readonly subsTableName?: string;
}): Users => {
  const read = async (userSub: string) => {
    const { Item } = await client.get({
      TableName: tableName,
      Key: { user_sub: userSub },
      ConsistentRead: true,
    });
    return Item;
  };

  /** @throws UserChangedMeanwhileError if the user has registered again since `trace` was read. */
  const isStillUnreadable = async (trace: UserTrace) => {
    const item = (await read(trace.userSub)) ?? {};
    const { registrationId, version } = traceSchema.safeParse(item).data ?? {};
    if (registrationId !== trace.registrationId || version !== trace.version)
      throw new UserChangedMeanwhileError();
    return isAsStored(item);
  };

  const latest: Users['latest'] = async (userSub) => {
    const item = await read(userSub);
    if (item === undefined) return { user: undefined, ended: undefined };
    if (item.is_removed === true) return { user: undefined, ...tombstoneSchema.parse(item) };
    const unknown = Object.keys(laterPartOf(item, knownAttributes));
    if (unknown.length > 0) tellLaterData({ kind: 'user', unknown });
    return { user: itemSchema.parse(item), ended: undefined };
  };

  /** Nothing of an earlier registration stays. */
  const register = async (
    Item: Record<string, unknown>,
    { registrationId, userSub }: User,
    { ended, identifier }: Parameters<Users['save']>[1],
  ): Promise<void> => {
    const put = {
      TableName: tableName,
      Item,
      ...(ended === undefined
        ? { ConditionExpression: isNothing }
        : {
            ConditionExpression: isTheTombstoneRead,
            ExpressionAttributeValues: { ':yes': true, ':ended': ended },
          }),
    };
    if (identifier === undefined) {
      await client.put(put);
      return;
    }
    if (subsTableName === undefined) throw new Error('The table of identifiers is not known');
    const identifiers = putIdentifier(subsTableName, { registrationId, userSub }, identifier);
    await client.transactWrite({ TransactItems: [{ Put: put }, ...identifiers] });
  };

  return {
    latest,

    find: async (userSub) => (await latest(userSub)).user,

    findMany: async (userSubs) => {
      const items = await batchGet({
        client,
        tableName,
        keys: userSubs.map((userSub) => ({ user_sub: userSub })),
        attributes: [...Object.keys(itemSchema.in.shape), 'is_removed'],
      });
      const found = items
        .filter((item) => item.is_removed !== true)
        .map((item): User | UnreadableUser => {
          const { success, data, error } = itemSchema.safeParse(item);
          if (success) return data;
          logger.error('User is unreadable', { error });
          const { user_sub: userSub, registration_id: registrationId } = registrationSchema.parse(item);
          return { userSub, registrationId, isUnreadable: true };
        });
      return new Map(found.map((user) => [user.userSub, user]));
    },

    registrationsOf: async (userSubs) => {
      const items = await batchGet({
        client,
        tableName,
        keys: userSubs.filter(isPossible).map((userSub) => ({ user_sub: userSub })),
        attributes: ['user_sub', 'registration_id', 'is_removed'],
      });
      const registrations = items
        .map((item) => registrationSchema.parse(item))
        .filter((item) => !item.is_removed);
      return new Map(registrations.map((item) => [item.user_sub, item.registration_id]));
    },

    save: async (user, before) => {
      const { user_sub, ...attributes } = toItem(user);
      const write =
        user.version === 1
          ? register({ user_sub, ...attributes }, user, before)
          : client.update({
              TableName: tableName,
              Key: { user_sub },
              ...attributeUpdate(attributes, {
                ConditionExpression: isTheVersionRead,
                ExpressionAttributeValues: {
                  ':registration': user.registrationId,
                  ':read': user.version - 1,
                },
              }),
            });
      try {
        await write;
      } catch (cause) {
        if (!isRefusal(cause, 'ConditionalCheckFailedException') && !isConflict(cause)) throw cause;
        // An earlier try of this write may have succeeded, although the response to it was lost.
        const stored = await read(user_sub);
        const isWritten = Object.entries(attributes).every(([name, value]) => stored?.[name] === value);
        if (!isWritten) throw new UserChangedMeanwhileError({ cause });
      }
    },

    lastChange: async (userSub) => {
      const item = await read(userSub);
      return item === undefined ? undefined : changeSchema.parse(item);
    },

    changedSince: async function* (dateTime) {
      const pages = scanPages(client, {
        TableName: tableName,
        ConsistentRead: true,
        ProjectionExpression: 'user_sub, registration_id, changed_at, is_removed',
        FilterExpression: 'changed_at >= :since',
        ExpressionAttributeValues: { ':since': dateTime },
      });
      for await (const { Items = [] } of pages) yield* Items.map((item) => changeSchema.parse(item));
    },

    endedSince: async function* (dateTime) {
      const pages = scanPages(client, {
        TableName: walletsTableName,
        ConsistentRead: true,
        ProjectionExpression: 'pk, changed_at',
        FilterExpression: 'begins_with(pk, :ended) AND changed_at >= :since',
        ExpressionAttributeValues: { ':ended': endedPrefix, ':since': dateTime },
      });
      for await (const { Items = [] } of pages) yield* Items.map((item) => endedSchema.parse(item));
    },

    trace: async (userSub) => {
      const item = await read(userSub);
      return item === undefined ? undefined : traceSchema.parse(item);
    },

    bury: async ({ trace, registrationId, changedAt, counts }) => {
      const expires = Math.floor((millisecondsOf(changedAt) + tombstoneRetentionMilliseconds) / 1_000);
      const tombstone = {
        user_sub: trace.userSub,
        registration_id: registrationId,
        version: (trace.version ?? 0) + 1,
        changed_at: changedAt,
        is_removed: true,
        expires_at: expires,
        ...countsItem(counts),
      };
      const condition =
        trace.registrationId === undefined || trace.version === undefined
          ? await isStillUnreadable(trace)
          : {
              ConditionExpression: isTheVersionRead,
              ExpressionAttributeValues: { ':registration': trace.registrationId, ':read': trace.version },
            };
      const ended = { ...endedKey(registrationId), changed_at: changedAt, expires_at: expires };
      try {
        await client.transactWrite({
          TransactItems: [
            { Put: { TableName: tableName, Item: tombstone, ...condition } },
            { Put: { TableName: walletsTableName, Item: ended } },
          ],
        });
      } catch (cause) {
        if (!isConflict(cause)) throw cause;
        throw new UserChangedMeanwhileError({ cause });
      }
    },
  };
};
