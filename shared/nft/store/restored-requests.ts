import * as z from 'zod';
import type { Table } from '../../platform/store/client.ts';
import {
  keep,
  never,
  putMissing,
  type RestorableTable,
  startsWith,
  write,
} from '../../platform/store/restored-items.ts';

const countSchema = z.object({
  pk: z.string(),
  sk: z.string(),
  made: z.int().default(0),
  expiresAt: z.int(),
});

/**
 * A completed idempotency key is restored even if another request holds it by now: that request then gets the
 * first result, and does not mint a second time.
 */
export const restoredRequests = ({ tableName }: Table): RestorableTable => ({
  keys: ['pk', 'sk'],
  timeToLive: 'expiresAt',
  kinds: [
    {
      name: 'idempotency key',
      matches: (item) => startsWith('KEY#')(item) && item.state === 'done',
      decide: (restored, live) => {
        if (live === undefined) return write(putMissing(tableName, restored));
        if (live.state !== 'claimed') return keep;
        return write({
          Put: {
            TableName: tableName,
            Item: restored,
            ConditionExpression: '#state = :claimed',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ':claimed': 'claimed' },
          },
        });
      },
    },
    { name: 'hold of an idempotency key', matches: startsWith('KEY#'), decide: never },
    {
      name: 'count of a day',
      matches: startsWith('COUNT#'),
      decide: (item, live) => {
        const { pk, sk, made } = countSchema.parse(item);
        if (live === undefined) return write(putMissing(tableName, item));
        const known = countSchema.parse(live).made;
        // A count never falls, so a count that is lower than the restored one began again after the loss, and both must
        // be added.
        if (known >= made) return keep;
        return write({
          Update: {
            TableName: tableName,
            Key: { pk, sk },
            UpdateExpression: 'SET made = :both',
            ConditionExpression: 'made = :known',
            ExpressionAttributeValues: { ':both': made + known, ':known': known },
          },
        });
      },
    },
  ],
});
