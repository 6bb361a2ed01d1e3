import { createHash } from 'node:crypto';
import * as z from 'zod';
import { withDeadline } from '../../deadline.ts';
import type { GrantMemory, RememberedQuestion } from '../../ott/ports/grant-memory.ts';
import { isRefusal } from '../aws/service-error.ts';
import type { DocumentClient } from './client.ts';

/** Time limit of each call, retries included: a stream call is answered with or without this memory. */
const timeoutMilliseconds = 500;

const itemSchema = z.object({ is_grant: z.boolean(), asked_at: z.int() });

/** A hash has one length, whatever users and clients are called, and does not list what somebody watches. */
const keyOf = ({ userSub, clientId, eventId }: RememberedQuestion) => ({
  pk: createHash('sha256')
    .update(JSON.stringify([userSub, clientId, eventId]))
    .digest('hex'),
});

/** Of two answers asked in the same millisecond, the denial wins. */
const isNewer = 'attribute_not_exists(pk) OR asked_at < :asked OR (asked_at = :asked AND is_grant = :true)';

export const dynamoDbGrants = ({
  client,
  tableName,
}: {
  readonly client: DocumentClient;
  readonly tableName: string;
}): GrantMemory => ({
  record: async (question, { isGrant, askedAt, forgottenAt }) => {
    try {
      await withDeadline(timeoutMilliseconds, () =>
        client.put({
          TableName: tableName,
          Item: {
            ...keyOf(question),
            is_grant: isGrant,
            asked_at: askedAt,
            expires_at: Math.ceil(forgottenAt / 1_000),
          },
          ConditionExpression: isNewer,
          ExpressionAttributeValues: { ':asked': askedAt, ':true': true },
        }),
      );
    } catch (error) {
      if (!isRefusal(error, 'ConditionalCheckFailedException')) throw error;
    }
  },

  grantedAt: async (question) => {
    const { Item } = await withDeadline(timeoutMilliseconds, () =>
      client.get({ TableName: tableName, Key: keyOf(question), ConsistentRead: true }),
    );
    if (Item === undefined) return undefined;
    const { is_grant: isGrant, asked_at: askedAt } = itemSchema.parse(Item);
    return isGrant ? askedAt : undefined;
  },
});
