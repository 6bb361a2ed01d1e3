import * as z from 'zod';
import { addressSchema, zeroAddress } from '../../chain/hex.ts';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import type { Challenges } from '../ports/challenges.ts';

export const challengeKey = (id: string) => ({ pk: `CHALLENGE#${id}` });
const hourKey = (holder: string, hour: number) => ({ pk: `HOUR#${holder}#${hour}` });

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

const countSchema = z.object({ made: z.int() });

const isNew = 'attribute_not_exists(pk)';
const isOpen = 'attribute_exists(pk) AND ends_at > :now';

/**
 * Uses a challenge up. The item stays until the challenge would have expired, because a late second run of `create`
 * would otherwise make the challenge again. Nothing of the user stays in it.
 */
export const usingUp = ({ now }: { readonly now: number }) =>
  attributeUpdate(
    { user_sub: '', address: zeroAddress, message: '', ends_at: 0 },
    { ConditionExpression: isOpen, ExpressionAttributeValues: { ':now': now } },
  );

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

    made: async ({ holder, hour }) => {
      const { Item = { made: 0 } } = await client.get({
        TableName: tableName,
        Key: hourKey(holder, hour),
        ConsistentRead: true,
      });
      return countSchema.parse(Item).made;
    },

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
