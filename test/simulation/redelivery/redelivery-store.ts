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
        indexes: { failures: ['failed_destination', 'sk'], undelivered: ['undelivered_to', 'next_at'] },
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
  const isVisible = (row: Item): boolean => (visibleFrom.get(String(row.listed)) ?? 0) <= now();
  const listed = (values: Readonly<Record<string, unknown>>, limit: number): Item[] => {
    const rows = days.get(String(values[':day'])) ?? [];
    if (values[':to'] !== undefined) {
      const [from, to] = [String(values[':from']), String(values[':to'])];
      return rows.slice(positionOf(rows, from), positionOf(rows, to)).filter(isVisible);
    }
    const found: Item[] = [];
    for (let at = positionOf(rows, String(values[':before'])) - 1; at >= 0 && found.length < limit; at--) {
      const row = rows[at];
      if (row !== undefined && isVisible(row)) found.push(row);
    }
    return found;
  };
  /** What the index of rows has of items that were changed a short time ago. */
  const stale = new Map<string, { readonly item: Item | undefined; readonly until: number }>();
  store.watch(({ before, after }) => {
    const { pk, sk } = after ?? before ?? {};
    if (!String(pk).startsWith('UNDELIVERED#')) return;
    const key = `${pk} ${sk}`;
    const known = stale.get(key);
    stale.set(key, {
      item: known !== undefined && known.until > now() ? known.item : before,
      until: now() + indexLag(),
    });
  });
  const undelivered = (values: Readonly<Record<string, unknown>>, limit: number): Item[] => {
    const pk = `UNDELIVERED#${String(values[':to']).replace('#given-up', '')}`;
    const { Items: present = [] } = store.query({
      TableName: tables.Notifications,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    });
    const rows = new Map(present.map((item) => [`${item.pk} ${item.sk}`, item as Item]));
    for (const [key, { item, until }] of stale) {
      if (until <= now()) stale.delete(key);
      else if (!key.startsWith(`${pk} `)) continue;
      else if (item === undefined) rows.delete(key);
      else rows.set(key, item);
    }
    return [...rows.values()]
      .filter(
        (item) => item.undelivered_to === values[':to'] && String(item.next_at) <= String(values[':until']),
      )
      .sort((one, other) => (String(one.next_at) < String(other.next_at) ? -1 : 1))
      .slice(0, limit);
  };
  const indexed: Readonly<Record<string, typeof listed>> = { 'by-application': listed, undelivered };

  const client: DocumentClient = {
    get: async (input) => store.get(input),
    put: async (input) => store.put(input),
    update: async (input) => store.update(input),
    delete: async (input) => store.delete(input),
    query: async (input) => {
      const index = indexed[input.IndexName ?? ''];
      return index === undefined
        ? store.query(input)
        : { Items: index(input.ExpressionAttributeValues ?? {}, input.Limit ?? 1_000) };
    },
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
