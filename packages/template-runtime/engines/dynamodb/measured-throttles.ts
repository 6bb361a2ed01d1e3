import type { Clock } from '../../clock.ts';
import type { Metrics } from '../metrics/types.ts';
import { tablesOf, touchedBy } from './faults/requests.ts';
import type { DatabaseCall } from './faults/types.ts';

/**
 * Counts throttled calls by table. When an index throttles a call, AWS counts the call for the index. Here it counts
 * for the table.
 */
export const measureThrottles =
  (metrics: Pick<Metrics, 'put'>, clock: Clock) =>
  ({ operation, input, outcome }: DatabaseCall): void => {
    if (outcome !== 'throttled') return;
    const written = new Set(
      touchedBy(operation, input)
        .filter(({ isWrite }) => isWrite)
        .map(({ table }) => table),
    );
    for (const TableName of new Set(tablesOf(operation, input))) {
      metrics.put({
        namespace: 'AWS/DynamoDB',
        name: written.has(TableName) ? 'WriteThrottleEvents' : 'ReadThrottleEvents',
        dimensions: { TableName },
        value: 1,
        at: clock(),
      });
    }
  };
