import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import type { Item } from '../expressions.ts';
import { createStore } from '../store.ts';

export const tables = { Notifications: 'Notifications', Endpoints: 'Endpoints' };

/** The position in `rows`, sorted by `listed`, before which all rows are smaller. */
const positionOf = (rows: readonly Item[], listed: string): number => {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (String(rows[middle]?.listed) < listed) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * The simulator's store with the tables of notifications. Its index of messages by day is kept sorted, so that twenty days
 * are soon simulated, and has an item only some time after the table.
 */
export const redeliveryStore = ({
  now,
  indexLag,
}: {
  readonly now: () => number;
  readonly indexLag: () => number;
}) => {
  const store = createStore(
    {
      [tables.Notifications]: {
        keys: ['pk', 'sk'],
        indexes: { failures: ['failed_destination', 'sk'] },
      },
      [tables.Endpoints]: {
        keys: ['application_id', 'endpoint_id'],
        indexes: { 'by-next-look': ['redelivery', 'next_look_at'] },
      },
    },
    { now },
  );
  const days = new Map<string, Item[]>();
  const visibleFrom = new Map<string, number>();
  store.watch(({ before, after }) => {
    if (typeof after?.application_day !== 'string' || before !== undefined) return;
    const rows = days.get(after.application_day) ?? [];
    days.set(after.application_day, rows);
    rows.splice(positionOf(rows, String(after.listed)), 0, after);
    visibleFrom.set(String(after.listed), now() + indexLag());
  });
  const listed = (values: Readonly<Record<string, unknown>>, limit: number): Item[] => {
    const rows = days.get(String(values[':day'])) ?? [];
    const found: Item[] = [];
    for (let at = positionOf(rows, String(values[':before'])) - 1; at >= 0 && found.length < limit; at--) {
      const row = rows[at];
      if (row !== undefined && (visibleFrom.get(String(row.listed)) ?? 0) <= now()) found.push(row);
    }
    return found;
  };

  const client: DocumentClient = {
    get: async (input) => store.get(input),
    put: async (input) => store.put(input),
    update: async (input) => store.update(input),
    delete: async (input) => store.delete(input),
    query: async (input) =>
      input.IndexName === 'by-application'
        ? { Items: listed(input.ExpressionAttributeValues ?? {}, input.Limit ?? 1_000) }
        : store.query(input),
    scan: async (input) => store.scan(input),
    batchGet: async (input) => store.batchGet(input) as Awaited<ReturnType<DocumentClient['batchGet']>>,
    batchWrite: async (input) => store.batchWrite(input),
    transactWrite: async (input) => store.transactWrite(input),
    updateOnce: async (input) => store.update(input),
    putOnce: async (input) => store.put(input),
    transactWriteOnce: async (input) => store.transactWrite(input),
    pause: async () => {},
  };
  return { store, client };
};
