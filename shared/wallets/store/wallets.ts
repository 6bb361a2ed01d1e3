import { createHash } from 'node:crypto';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Address } from '../../nft/hex.ts';
import { conditionHeld, isConflict, type Table } from '../../platform/store/client.ts';
import type { Challenges } from '../ports/challenges.ts';
import type { WalletChange, Wallets } from '../ports/wallets.ts';
import { holderOf, type Ownership, type UserWallets } from '../wallet.ts';
import { endedKey } from './ended-registrations.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const userKey = (holder: string) => ({ pk: `USER#${holder}` });
/**
 * The key has only a hash, because this item outlives the wallet's link and the address must not be stored longer than
 * the link.
 */
const addressKey = (address: Address) => ({
  pk: `ADDRESS#${createHash('sha256').update(address).digest('hex')}`,
});
const challengeKey = (id: string) => ({ pk: `CHALLENGE#${id}` });
const hourKey = (holder: string, hour: number) => ({ pk: `HOUR#${holder}#${hour}` });

const addressSchema = z.custom<Address>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value),
);

const userSchema = z
  .object({
    user_sub: z.string(),
    registration_id: z.string(),
    version: z.int(),
    wallets: z.array(
      z
        .object({
          address: addressSchema,
          linked_at: z.number(),
          opens_from: z.number(),
          opens_until: z.number().optional(),
          proof: z.string(),
        })
        .transform(({ address, linked_at, opens_from, opens_until, proof }) => ({
          address,
          linkedAt: linked_at,
          opensFrom: opens_from,
          ...(opens_until !== undefined && { opensUntil: opens_until }),
          proof,
        })),
    ),
  })
  .transform(
    ({ user_sub, registration_id, version, wallets }): UserWallets => ({
      userSub: user_sub,
      registrationId: registration_id,
      version,
      wallets,
    }),
  );

const userItem = ({ userSub, registrationId, version, wallets }: UserWallets) => ({
  user_sub: userSub,
  registration_id: registrationId,
  version,
  wallets: wallets.map(({ address, linkedAt, opensFrom, opensUntil, proof }) => ({
    address,
    linked_at: linkedAt,
    opens_from: opensFrom,
    opens_until: opensUntil,
    proof,
  })),
});

const ownershipSchema = z.object({
  holder: z.string(),
  registration_id: z.string(),
  proven_at: z.number(),
  opens_from: z.number(),
  freed_at: z.number().optional(),
  version: z.int(),
});

const challengeSchema = z.object({
  user_sub: z.string(),
  registration_id: z.string(),
  address: addressSchema,
  origin: z.string(),
  message: z.string(),
  issued_at: z.number(),
  ends_at: z.number(),
  attempts: z.int(),
});

const isNew = 'attribute_not_exists(pk)';
const isTheVersionRead = 'version = :read';
const hasNotEnded = 'attribute_not_exists(pk)';
const isOpen = 'attribute_exists(pk) AND ends_at > :now';

const asRead = (before: { readonly version: number } | undefined) =>
  before === undefined
    ? { ConditionExpression: isNew }
    : { ConditionExpression: isTheVersionRead, ExpressionAttributeValues: { ':read': before.version } };

/** The table of wallets. No stream, no export and no customer's API call reads this table. */
export const dynamoDbWallets = ({ client, tableName }: Table): Wallets => {
  const read = async (key: { readonly pk: string }) => {
    const { Item } = await client.get({ TableName: tableName, Key: key, ConsistentRead: true });
    return Item;
  };

  const userWrite = ({ before, after }: WalletChange['users'][number]): Write[] => {
    const userSub = (after ?? before)?.userSub;
    if (userSub === undefined) return [];
    const key = userKey(holderOf(userSub));
    const condition = asRead(before);
    return after === undefined
      ? [{ Delete: { TableName: tableName, Key: key, ...condition } }]
      : [{ Put: { TableName: tableName, Item: { ...key, ...userItem(after) }, ...condition } }];
  };

  const ownershipWrite = ({ before, after, forgottenAt }: WalletChange['ownerships'][number]): Write => ({
    Put: {
      TableName: tableName,
      Item: {
        ...addressKey(after.address),
        holder: after.holder,
        registration_id: after.registrationId,
        proven_at: after.provenAt,
        opens_from: after.opensFrom,
        freed_at: after.freedAt,
        version: after.version,
        expires_at: forgottenAt === undefined ? undefined : Math.ceil(forgottenAt / 1_000),
      },
      ...asRead(before),
    },
  });

  return {
    find: async (holder) => {
      const item = await read(userKey(holder));
      return item === undefined ? undefined : userSchema.parse(item);
    },

    ownershipOf: async (address) => {
      const item = await read(addressKey(address));
      if (item === undefined) return undefined;
      const { holder, registration_id, proven_at, opens_from, freed_at, version } =
        ownershipSchema.parse(item);
      const ownership: Ownership = {
        address,
        holder,
        registrationId: registration_id,
        provenAt: proven_at,
        opensFrom: opens_from,
        freedAt: freed_at,
        version,
      };
      return ownership;
    },

    hasEnded: async (registrationId) => (await read(endedKey(registrationId))) !== undefined,

    write: async ({ registrationId, users, ownerships, challenge }) => {
      const registered: Write[] =
        registrationId === undefined
          ? []
          : [
              {
                ConditionCheck: {
                  TableName: tableName,
                  Key: endedKey(registrationId),
                  ConditionExpression: hasNotEnded,
                },
              },
            ];
      const consumed: Write[] =
        challenge === undefined
          ? []
          : [
              {
                Delete: {
                  TableName: tableName,
                  Key: challengeKey(challenge.id),
                  ConditionExpression: isOpen,
                  ExpressionAttributeValues: { ':now': challenge.now },
                },
              },
            ];
      try {
        await client.transactWrite({
          TransactItems: [
            ...registered,
            ...users.flatMap(userWrite),
            ...ownerships.map(ownershipWrite),
            ...consumed,
          ],
        });
        return 'written';
      } catch (error) {
        if (!isConflict(error)) throw error;
        return 'conflict';
      }
    },
  };
};

export const dynamoDbChallenges = ({ client, tableName }: Table): Challenges => {
  return {
    // May run twice or late: the user then has one challenge less in this hour.
    count: ({ holder, hour, atMost }) =>
      conditionHeld(
        client.update({
          TableName: tableName,
          Key: hourKey(holder, hour),
          UpdateExpression: 'ADD made :one SET expires_at = :expires',
          ConditionExpression: 'attribute_not_exists(made) OR made < :most',
          ExpressionAttributeValues: { ':one': 1, ':most': atMost, ':expires': (hour + 2) * 3_600 },
        }),
      ),

    create: async ({ id, userSub, registrationId, address, origin, message, issuedAt, endsAt, attempts }) => {
      // A late second run must not give a challenge its attempts back.
      await conditionHeld(
        client.put({
          TableName: tableName,
          Item: {
            ...challengeKey(id),
            user_sub: userSub,
            registration_id: registrationId,
            address,
            origin,
            message,
            issued_at: issuedAt,
            ends_at: endsAt,
            attempts,
            expires_at: Math.ceil(endsAt / 1_000),
          },
          ConditionExpression: isNew,
        }),
      );
    },

    find: async (id) => {
      const { Item } = await client.get({
        TableName: tableName,
        Key: challengeKey(id),
        ConsistentRead: true,
      });
      if (Item === undefined) return undefined;
      const { user_sub, registration_id, issued_at, ends_at, ...same } = challengeSchema.parse(Item);
      return {
        id,
        userSub: user_sub,
        registrationId: registration_id,
        issuedAt: issued_at,
        endsAt: ends_at,
        ...same,
      };
    },

    // May run twice or late: the challenge then has one attempt less.
    takeAttempt: ({ id, now, attemptsAtMost }) =>
      conditionHeld(
        client.update({
          TableName: tableName,
          Key: challengeKey(id),
          UpdateExpression: 'ADD attempts :one',
          ConditionExpression: `${isOpen} AND attempts < :most`,
          ExpressionAttributeValues: { ':one': 1, ':now': now, ':most': attemptsAtMost },
        }),
      ),
  };
};
