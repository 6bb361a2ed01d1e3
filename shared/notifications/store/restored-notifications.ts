import type { Table } from '../../platform/store/client.ts';
import {
  ifMissing,
  keep,
  never,
  putMissing,
  type RestorableTable,
  startsWith,
  write,
} from '../../platform/store/restored-items.ts';

/**
 * Restores missing messages and deliveries. A restored delivery that succeeded replaces a live one that failed, as it
 * does when both are recorded. An unfinished replay is not restored: it would send again what it has sent since.
 */
export const restoredNotifications = ({ tableName }: Table): RestorableTable => ({
  keys: ['pk', 'sk'],
  timeToLive: 'expires_at',
  kinds: [
    { name: 'message', matches: startsWith('SUBJECT#'), decide: ifMissing(tableName) },
    {
      name: 'delivery',
      matches: startsWith('MESSAGE#'),
      decide: (restored, live) => {
        if (live === undefined) return write(putMissing(tableName, restored));
        if (restored.is_delivered !== true || live.is_delivered !== false) return keep;
        return write({
          Put: {
            TableName: tableName,
            Item: restored,
            ConditionExpression: 'is_delivered = :no',
            ExpressionAttributeValues: { ':no': false },
          },
        });
      },
    },
    {
      name: 'replay that ended',
      matches: (item) => startsWith('REPLAY#')(item) && item.ended_at !== undefined,
      decide: ifMissing(tableName),
    },
    { name: 'replay under way', matches: startsWith('REPLAY#'), decide: never },
    { name: 'lease or places of replays', matches: startsWith('REPLAYS#'), decide: never },
    // What has been delivered since is not sent again: the record is asked first.
    { name: 'undelivered notification', matches: startsWith('UNDELIVERED#'), decide: ifMissing(tableName) },
    { name: 'count of tests', matches: startsWith('TESTS#'), decide: never },
  ],
});

export const restoredEndpoints = ({ tableName }: Table): RestorableTable => ({
  keys: ['application_id', 'endpoint_id'],
  timeToLive: 'expires_at',
  kinds: [
    {
      name: 'endpoint',
      matches: startsWith('', 'endpoint_id'),
      decide: ifMissing(tableName, 'endpoint_id'),
    },
  ],
});
