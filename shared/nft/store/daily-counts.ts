import * as z from 'zod';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import type { Counting, DailyCounts, DailyUse } from '../ports/daily-counts.ts';

/** How long the count of a day is kept, from the beginning of the day. Older counts are never read. */
const keptSeconds = 2 * 24 * 60 * 60;

const keyOf = ({ applicationId, what, day }: Omit<Counting, 'by'>) => ({
  pk: `COUNT#${applicationId}`,
  sk: `${day}#${what}`,
});

const itemSchema = z.object({ made: z.int().default(0) });

const isBelowLimit = 'attribute_not_exists(made) OR made <= :room';
const isCounted = 'made >= :by';

export const dynamoDbDailyCounts = ({ client, tableName }: Table): DailyCounts & DailyUse => ({
  // May run twice or late: the count is then too high until the end of the day, and no limit can be exceeded.
  count: async ({ limit, ...counting }) => {
    const { by } = counting;
    if (by > limit) return false;
    return conditionHeld(
      client.update({
        TableName: tableName,
        Key: keyOf(counting),
        UpdateExpression: 'ADD made :by SET expiresAt = :expiresAt',
        ConditionExpression: isBelowLimit,
        ExpressionAttributeValues: {
          ':by': by,
          ':room': limit - by,
          ':expiresAt': Date.parse(counting.day) / 1_000 + keptSeconds,
        },
      }),
    );
  },

  made: async (counting) => {
    const { Item } = await client.get({ TableName: tableName, Key: keyOf(counting), ConsistentRead: true });
    return itemSchema.parse(Item ?? {}).made;
  },

  // Runs at most once: a second time, it would subtract what other requests have counted.
  giveBack: async (counting) => {
    await conditionHeld(
      client.updateOnce({
        TableName: tableName,
        Key: keyOf(counting),
        UpdateExpression: 'ADD made :minus',
        ConditionExpression: isCounted,
        ExpressionAttributeValues: { ':minus': -counting.by, ':by': counting.by },
      }),
    );
  },
});
