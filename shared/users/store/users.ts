import * as z from 'zod';
import { isRefusal } from '../../platform/aws/service-error.ts';
import { dateTimeSchema, millisecondsOf } from '../../platform/date-time.ts';
import { laterPartOf, tellLaterData } from '../../platform/later-data.ts';
import { logger } from '../../platform/logger.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import { isConflict, scanPages, type Table } from '../../platform/store/client.ts';
import { setting } from '../../platform/store/setting.ts';
import { endedKey, endedPrefix } from '../../wallets/store/ended-registrations.ts';
import { UserChangedMeanwhileError } from '../errors.ts';
import type { UnreadableUser, Users, UserTrace } from '../ports/users.ts';
import {
  type EndedRegistration,
  tombstoneRetentionMilliseconds,
  type User,
  type UserChange,
} from '../user.ts';
import { isUserData, type UserData } from '../user-data.ts';

/** The message of the error does not quote the text, because it could be personal data. */
const jsonText = z.string().transform((text, { addIssue }): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    addIssue('not JSON');
    return z.NEVER;
  }
});

/**
 * Data and agreements are stored as JSON text. A DynamoDB map cannot express all of JSON: numbers with more than 38
 * digits, lone surrogates, more than 32 levels.
 */
const itemSchema = z
  .object({
    user_sub: z.string(),
    registration_id: z.string(),
    version: z.int(),
    changed_at: dateTimeSchema,
    registered_at: dateTimeSchema,
    user_data: jsonText.pipe(z.custom<UserData>(isUserData)),
    user_agreements: jsonText.pipe(z.array(z.unknown())),
    hour_began_at: z.int().optional(),
    changes_in_hour: z.int().optional(),
  })
  .transform(
    (item): User => ({
      userSub: item.user_sub,
      registrationId: item.registration_id,
      version: item.version,
      changedAt: item.changed_at,
      registeredAt: item.registered_at,
      data: item.user_data,
      agreements: item.user_agreements,
      hour:
        item.hour_began_at === undefined || item.changes_in_hour === undefined
          ? undefined
          : { beganAt: item.hour_began_at, changes: item.changes_in_hour },
    }),
  );

const registrationSchema = z.object({
  user_sub: z.string(),
  registration_id: z.string(),
  is_removed: z.boolean().default(false),
});

const changeSchema = z.object({ ...registrationSchema.shape, changed_at: dateTimeSchema }).transform(
  (item): UserChange => ({
    userSub: item.user_sub,
    registrationId: item.registration_id,
    changedAt: item.changed_at,
    isRemoved: item.is_removed,
  }),
);

const endedSchema = z
  .object({ pk: z.string().startsWith(endedPrefix), changed_at: dateTimeSchema })
  .transform(
    ({ pk, changed_at: changedAt }): EndedRegistration => ({
      registrationId: pk.slice(endedPrefix.length),
      changedAt,
    }),
  );

const traceSchema = z
  .object({
    user_sub: z.string(),
    registration_id: z.string().optional().catch(undefined),
    version: z.int().optional().catch(undefined),
    changed_at: dateTimeSchema.optional().catch(undefined),
    is_removed: z.boolean().catch(false),
  })
  .transform(
    (item): UserTrace => ({
      userSub: item.user_sub,
      registrationId: item.registration_id,
      version: item.version,
      changedAt: item.changed_at,
      isRemoved: item.is_removed,
    }),
  );

const toItem = (user: User) => ({
  user_sub: user.userSub,
  registration_id: user.registrationId,
  version: user.version,
  changed_at: user.changedAt,
  registered_at: user.registeredAt,
  user_data: JSON.stringify(user.data),
  user_agreements: JSON.stringify(user.agreements),
  hour_began_at: user.hour?.beganAt,
  changes_in_hour: user.hour?.changes,
});

const knownAttributes = { ...itemSchema.in.shape, is_removed: true, expires_at: true } as const;

/** The maximum length of a DynamoDB partition key ("Quotas in DynamoDB", partition key length). */
const maximumKeyBytes = 2_048;

/** DynamoDB refuses a whole batch if one key is empty, too long or not Unicode. No user has such a key. */
const isPossible = (userSub: string): boolean =>
  userSub !== '' && userSub.isWellFormed() && Buffer.byteLength(userSub) <= maximumKeyBytes;

/**
 * A new registration is allowed to replace the tombstone of a deleted user, but not the tombstone of the same
 * registration: a repeated write that runs late must not bring a deleted user back.
 */
const isNoUser = 'attribute_not_exists(user_sub) OR (is_removed = :yes AND registration_id <> :registration)';
const isSomeUser = 'attribute_exists(user_sub)';
/** After a deletion and a new registration the version numbers begin again, so the registration is compared too. */
const isTheVersionRead = 'registration_id = :registration AND version = :read';

export const dynamoDbUsers = ({
  client,
  tableName,
  walletsTableName,
}: Table & {
  /** The wallets table, where the registrations of deleted users end. Needed only to delete users and to find them. */
  readonly walletsTableName?: string;
}): Users => {
  const read = async (userSub: string) => {
    const { Item } = await client.get({
      TableName: tableName,
      Key: { user_sub: userSub },
      ConsistentRead: true,
    });
    return Item;
  };

  return {
    find: async (userSub) => {
      const item = await read(userSub);
      if (item === undefined || item.is_removed === true) return undefined;
      const unknown = Object.keys(laterPartOf(item, knownAttributes));
      if (unknown.length > 0) tellLaterData({ kind: 'user', unknown });
      return itemSchema.parse(item);
    },

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

    save: async (user) => {
      const { user_sub, ...attributes } = toItem(user);
      const write =
        user.version === 1
          ? // Nothing of an earlier registration stays.
            client.put({
              TableName: tableName,
              Item: { user_sub, ...attributes },
              ConditionExpression: isNoUser,
              ExpressionAttributeValues: { ':yes': true, ':registration': user.registrationId },
            })
          : client.update({
              TableName: tableName,
              Key: { user_sub },
              ...setting(attributes, {
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
        if (!isRefusal(cause, 'ConditionalCheckFailedException')) throw cause;
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

    bury: async ({ trace, registrationId, changedAt }) => {
      const expires = Math.floor((millisecondsOf(changedAt) + tombstoneRetentionMilliseconds) / 1_000);
      const tombstone = {
        user_sub: trace.userSub,
        registration_id: registrationId,
        version: (trace.version ?? 0) + 1,
        changed_at: changedAt,
        is_removed: true,
        expires_at: expires,
      };
      const condition =
        trace.registrationId === undefined || trace.version === undefined
          ? { ConditionExpression: isSomeUser }
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
