import { createHash } from 'node:crypto';
import * as z from 'zod';
import { laterPartOf, tellLaterData } from '../../platform/later-data.ts';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import { withDeadline } from '../../platform/time/deadline.ts';
import { patient } from '../../platform/time/patience.ts';
import type {
  GrantMemory,
  RememberedDecision,
  RememberedQuestion,
  TicketMemory,
} from '../ports/grant-memory.ts';

/**
 * The time limit of each call, including retries, because a viewer's request must not wait longer for a remembered
 * decision.
 */
const timeoutMilliseconds = patient(500);

const itemSchema = z.object({
  is_grant: z.boolean(),
  is_denial: z.boolean().default(false),
  asked_at: z.int(),
  seller: z.string().optional(),
});

/** A hash has a fixed length, and does not reveal what a user watches. */
const keyOf = ({ userSub, clientId, eventId }: RememberedQuestion, ...kind: readonly 'ticket'[]) => ({
  pk: createHash('sha256')
    .update(JSON.stringify([userSub, clientId, eventId, ...kind]))
    .digest('hex'),
});

/**
 * A stored decision is replaced only by a decision on a later question. If both questions were asked in the same
 * millisecond, a denial wins.
 */
const isNewer = 'attribute_not_exists(pk) OR asked_at < :asked OR (asked_at = :asked AND is_grant = :true)';

const records = ({ client, tableName }: Table) => ({
  record: async (
    key: ReturnType<typeof keyOf>,
    { isGrant, isDenial = false, seller, askedAt, forgottenAt }: RememberedDecision,
  ): Promise<void> => {
    await conditionHeld(
      withDeadline(timeoutMilliseconds, () =>
        client.put({
          TableName: tableName,
          Item: {
            ...key,
            is_grant: isGrant,
            ...(isDenial && { is_denial: true }),
            asked_at: askedAt,
            ...(seller !== undefined && { seller }),
            expires_at: Math.ceil(forgottenAt / 1_000),
          },
          ConditionExpression: isNewer,
          ExpressionAttributeValues: { ':asked': askedAt, ':true': true },
        }),
      ),
    );
  },

  read: async (key: ReturnType<typeof keyOf>) => {
    const { Item } = await withDeadline(timeoutMilliseconds, () =>
      client.get({ TableName: tableName, Key: key, ConsistentRead: true }),
    );
    if (Item === undefined) return undefined;
    const decision = itemSchema.parse(Item);
    const unknown = Object.keys(laterPartOf(Item, { pk: true, expires_at: true, ...itemSchema.shape }));
    if (unknown.length === 0) return { ...decision, isUnderstood: true };
    tellLaterData({ kind: 'remembered decision', unknown });
    // What is unknown could limit the grant. A denial stays one.
    return { ...decision, is_grant: false, isUnderstood: false };
  },
});

export const dynamoDbGrants = (store: Table): GrantMemory => {
  const { record, read } = records(store);
  return {
    record: (question, decision) => record(keyOf(question), decision),
    granted: async (question) => {
      const known = await read(keyOf(question));
      return known?.is_grant ? { askedAt: known.asked_at, seller: known.seller } : undefined;
    },
  };
};

export const dynamoDbTicketGrants = (store: Table): TicketMemory => {
  const { record, read } = records(store);
  return {
    record: (question, decision) => record(keyOf(question, 'ticket'), decision),
    granted: async (question) => {
      const [ticket, decision] = await Promise.all([read(keyOf(question, 'ticket')), read(keyOf(question))]);
      if (!ticket?.is_grant) return undefined;
      return decision?.is_denial ? undefined : { askedAt: ticket.asked_at };
    },
    undenied: async (question) => {
      const decision = await read(keyOf(question));
      if (decision === undefined || decision.is_denial || !decision.isUnderstood) return undefined;
      return { askedAt: decision.asked_at };
    },
  };
};
