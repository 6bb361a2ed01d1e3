import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { answerIfHeld, conditionHeld, scanPages, type Table } from '../../platform/store/client.ts';
import type { SignerState, Signers } from '../ports/signers.ts';

const wei = z.string().regex(/^\d+$/).transform(BigInt);

const itemSchema = z
  .object({
    pk: z.string(),
    nextNonce: z.int(),
    lastTakenAt: z.int(),
    generation: z.string(),
    minedCount: z.int(),
    finalizedCount: z.int(),
    finalizedHeight: z.int(),
    unminedCost: z.string().regex(/^\d+$/).transform(BigInt),
    costedThrough: z.int(),
    fees: z
      .object({ baseFeePerGas: wei, maxFeePerGas: wei, maxPriorityFeePerGas: wei, readAt: z.int() })
      .optional(),
    gap: z.object({ through: z.int(), seenAt: z.int() }).optional(),
    draining: z.literal(true).optional(),
    reopened: z.set(z.int()).default(new Set()),
  })
  .transform(
    ({ pk, gap, fees, draining, ...rest }): SignerState => ({
      id: pk,
      gap,
      fees,
      isDraining: draining === true,
      ...rest,
    }),
  );

const feesItem = (fees: NonNullable<SignerState['fees']>) => ({
  baseFeePerGas: fees.baseFeePerGas.toString(),
  maxFeePerGas: fees.maxFeePerGas.toString(),
  maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
  readAt: fees.readAt,
});

const isKnown = 'attribute_exists(pk)';
const isUnknown = 'attribute_not_exists(pk)';
const isBelow = 'nextNonce < :count';
const isNotAhead = [
  'attribute_exists(pk)',
  'minedCount <= :minedCount',
  'finalizedCount <= :finalizedCount',
  'finalizedHeight <= :finalizedHeight',
  'costedThrough <= :costedThrough',
].join(' AND ');
const isOfGeneration = 'generation = :from';
const hasNoGap = 'attribute_exists(pk) AND attribute_not_exists(gap)';
const hasThisGap = 'gap = :before';

/**
 * Each signer is one item. No DynamoDB transaction writes this item, so many reservations at the same time do not
 * conflict.
 */
export const dynamoDbSigners = ({ client, tableName }: Table): Signers => {
  const update = async (
    input: Omit<UpdateCommandInput, 'TableName' | 'Key'> & {
      readonly id: string;
    },
  ) => {
    const { id, ...rest } = input;
    const answer = await answerIfHeld(client.update({ TableName: tableName, Key: { pk: id }, ...rest }));
    return answer && (answer.Attributes ?? {});
  };

  return {
    find: async (id) => {
      const { Item } = await client.get({ TableName: tableName, Key: { pk: id }, ConsistentRead: true });
      return Item === undefined ? undefined : itemSchema.parse(Item);
    },

    list: async () => {
      const found: SignerState[] = [];
      for await (const { Items = [] } of scanPages(client, { TableName: tableName, ConsistentRead: true })) {
        found.push(...Items.map((item) => itemSchema.parse(item)));
      }
      return found;
    },

    create: async ({ id, unminedCost, gap, fees, isDraining, reopened, ...rest }) => {
      await conditionHeld(
        client.put({
          TableName: tableName,
          Item: {
            pk: id,
            ...rest,
            unminedCost: unminedCost.toString(),
            ...(gap !== undefined && { gap }),
            ...(isDraining ? { draining: true } : {}),
            ...(fees !== undefined && { fees: feesItem(fees) }),
            ...(reopened.size > 0 && { reopened }),
          },
          ConditionExpression: isUnknown,
        }),
      );
    },

    // May run twice or late: the waiter fills the nonce that nobody has.
    reserveNonce: async ({ id, at }) => {
      const item = await update({
        id,
        UpdateExpression: 'ADD nextNonce :one SET lastTakenAt = :at',
        ConditionExpression: isKnown,
        ExpressionAttributeValues: { ':one': 1, ':at': at },
        ReturnValues: 'ALL_NEW',
      });
      if (item === undefined) return undefined;
      const state = itemSchema.parse(item);
      return { nonce: state.nextNonce - 1, state };
    },

    raiseNextNonce: async ({ id, count }) => {
      await update({
        id,
        UpdateExpression: 'SET nextNonce = :count',
        ConditionExpression: isBelow,
        ExpressionAttributeValues: { ':count': count },
      });
    },

    saveProgress: async ({ id, progress }) => {
      await update({
        id,
        UpdateExpression:
          'SET minedCount = :minedCount, finalizedCount = :finalizedCount, finalizedHeight = :finalizedHeight, unminedCost = :unminedCost, costedThrough = :costedThrough' +
          (progress.fees === undefined ? '' : ', fees = :fees'),
        ConditionExpression: isNotAhead,
        ExpressionAttributeValues: {
          ':minedCount': progress.minedCount,
          ':finalizedCount': progress.finalizedCount,
          ':finalizedHeight': progress.finalizedHeight,
          ':unminedCost': progress.unminedCost.toString(),
          ':costedThrough': progress.costedThrough,
          ...(progress.fees !== undefined && { ':fees': feesItem(progress.fees) }),
        },
      });
    },

    // May run twice or late: the waiter closes again a nonce whose entry is decided.
    reopen: async ({ id, nonces }) => {
      await update({
        id,
        UpdateExpression: 'ADD reopened :nonces',
        ConditionExpression: isKnown,
        ExpressionAttributeValues: { ':nonces': new Set(nonces) },
      });
    },

    // May run twice or late: an entry that is decided never becomes pending again under its nonce, but for one whose
    // successor is lost. Another run of `restore` opens it again.
    close: async ({ id, nonces }) => {
      await update({
        id,
        UpdateExpression: 'DELETE reopened :nonces',
        ConditionExpression: isKnown,
        ExpressionAttributeValues: { ':nonces': new Set(nonces) },
      });
    },

    saveGap: async ({ id, before, after }) => {
      await update({
        id,
        UpdateExpression: after === undefined ? 'REMOVE gap' : 'SET gap = :after',
        ConditionExpression: before === undefined ? hasNoGap : hasThisGap,
        ...(before === undefined && after === undefined
          ? {}
          : {
              ExpressionAttributeValues: {
                ...(before !== undefined && { ':before': before }),
                ...(after !== undefined && { ':after': after }),
              },
            }),
      });
    },

    setDraining: async ({ id, isDraining }) => {
      await update({
        id,
        UpdateExpression: isDraining ? 'SET draining = :true' : 'REMOVE draining',
        ConditionExpression: isKnown,
        ...(isDraining ? { ExpressionAttributeValues: { ':true': true } } : {}),
      });
    },

    swapGeneration: async ({ id, from, to }) => {
      const swapped = await update({
        id,
        UpdateExpression: 'SET generation = :to',
        ConditionExpression: isOfGeneration,
        ExpressionAttributeValues: { ':from': from, ':to': to },
      });
      return swapped !== undefined;
    },
  };
};
