import * as z from 'zod';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import { queryNewIndex } from '../../platform/store/new-index.ts';
import type { EditCount, EditCounts } from '../ports/edit-counts.ts';
import { indexes } from './event-items.ts';

const stepMilliseconds = 10 * 60_000;
/** One more than an hour has, because the first of them is only partly in the hour. */
const steps = 7;

export const editCountsPrefix = 'EDITS#';

/** The partition of all counts in the index of changes that are due, sorted by the beginning of their ten minutes. */
const countsQueue = 'EDITS';

const itemSchema = z.object({ editor: z.string(), key_id: z.string(), changes: z.int() });

const isOfStep = 'change_due = :step';
const isOlder = 'attribute_not_exists(pk) OR change_due < :step';

const stepOf = (at: number) => Math.floor(at / stepMilliseconds);
const beginOf = (step: number): string => new Date(step * stepMilliseconds).toISOString();

/** A key has seven items, in turns: each begins anew when its ten minutes are over for an hour. */
export const dynamoDbEditCounts = ({ client, tableName: TableName }: Table): EditCounts => ({
  count: async ({ editor, keyId, changes, at }) => {
    const step = stepOf(at);
    const Key = { pk: `${editCountsPrefix}${keyId}#${step % steps}` };
    const begin = { ':step': beginOf(step) };
    const add = () =>
      conditionHeld(
        client.update({
          TableName,
          Key,
          UpdateExpression: 'ADD changes :more',
          ConditionExpression: isOfStep,
          ExpressionAttributeValues: { ...begin, ':more': changes },
        }),
      );
    if (await add()) return;
    const isFirst = await conditionHeld(
      client.put({
        TableName,
        Item: {
          ...Key,
          editor,
          key_id: keyId,
          changes,
          change_queue: countsQueue,
          change_due: beginOf(step),
        },
        ConditionExpression: isOlder,
        ExpressionAttributeValues: begin,
      }),
    );
    // Another request has begun the same ten minutes meanwhile. If somebody has begun later ones, the count is given up.
    if (!isFirst) await add();
  },

  lastHour: async (now) => {
    const counted = new Map<string, EditCount>();
    const pages = queryNewIndex(client, {
      TableName,
      IndexName: indexes.changes,
      KeyConditionExpression: 'change_queue = :counts AND change_due >= :first',
      ExpressionAttributeValues: { ':counts': countsQueue, ':first': beginOf(stepOf(now) - steps + 1) },
    });
    for await (const { Items = [] } of pages) {
      for (const item of Items) {
        const { editor, key_id: keyId, changes } = itemSchema.parse(item);
        counted.set(keyId, { editor, keyId, changes: changes + (counted.get(keyId)?.changes ?? 0) });
      }
    }
    return [...counted.values()];
  },
});
