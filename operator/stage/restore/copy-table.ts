import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { batchGet } from '../../../shared/platform/store/batch-get.ts';
import { scanPages, type Table } from '../../../shared/platform/store/client.ts';
import type {
  Item,
  ItemKind,
  RestorableTable,
  RestoredTables,
  Restoring,
} from '../../../shared/platform/store/restored-items.ts';
import { patiently, together, type Writes, written } from './conditional-writes.ts';
import type { PretendedPuts } from './pretended-puts.ts';

/** How many parts of the table are read at the same time, and how many of a part's items are written. */
const segments = 8;
const writesAtOnce = 16;
/** DynamoDB's limit for one BatchGetItem. */
const readsAtOnce = 100;
const triesAtMost = 10;

/** How many items of one kind were restored, and how many were not. */
export interface KindCount {
  readonly kind: string;
  /** In a dry run: what would be written. */
  written: number;
  kept: number;
  left: number;
}

const ended = 'ended';
const notKnown = 'not known to this release';

export interface CopyOptions extends RestoredTables {
  readonly table: RestorableTable;
  /** Whose client `live` has. @default a real run */
  readonly pretended?: PretendedPuts | undefined;
  readonly clock: () => number;
  /** @default no call */
  readonly onItems?: (count: number) => void;
  /** Called with the reason for each item that is left for a reason. @default no call */
  readonly onLeft?: (why: string) => void;
}

/**
 * Brings items of the restored table back into the live one. Each write is conditional on the live item that was read
 * before, so others may write at the same time. If it is interrupted, another run has the same result.
 */
export const copyTable = async (options: CopyOptions): Promise<readonly KindCount[]> => {
  const { table, clock, pretended, live, restored, onItems = () => {}, onLeft = () => {} } = options;
  const counts = new Map<string, KindCount>();
  const countOf = (kind: string): KindCount => {
    const count = counts.get(kind) ?? { kind, written: 0, kept: 0, left: 0 };
    counts.set(kind, count);
    return count;
  };
  const hasEnded = (item: Item): boolean =>
    table.timeToLive !== undefined && Number(item[table.timeToLive] ?? Infinity) * 1_000 <= clock();

  /** Whether the writes are made, or would be. */
  const write = async (writes: Writes): Promise<boolean> => {
    if (pretended === undefined) return written(live, writes);
    const put = writes.flatMap(({ Put }) => (Put?.Item === undefined ? [] : [keyOf(table, Put.Item)]));
    return pretended.put({ live: live.tableName, restored: restored.tableName }, put);
  };

  const decide = (kind: ItemKind, item: Item, now: Item | undefined): Promise<Restoring> =>
    patiently(live.client, async () => kind.decide(item, now));

  /** Decides and writes until the writes are not refused any more. */
  const bringBack = async ({ kind, item, decision: first }: Decided): Promise<void> => {
    const count = countOf(kind.name);
    let decision = first;
    for (let tried = 1; ; tried += 1) {
      if (decision.outcome !== 'write') {
        count[decision.outcome === 'keep' ? 'kept' : 'left'] += 1;
        if (decision.outcome === 'leave' && decision.why !== undefined) onLeft(decision.why);
        return;
      }
      if (await write(decision.writes)) {
        count.written += 1;
        return;
      }
      if (tried >= triesAtMost) throw new Error(`An item of ${live.tableName} changed at every try`);
      await live.client.pause(tried);
      decision = await decide(kind, item, await readAgain(live, table, item));
    }
  };

  /** Items that need one write each are written in one transaction. If it is refused, each is written alone. */
  const bringBackTogether = async (group: readonly (Decided & Writing)[]): Promise<void> => {
    const [first, ...others] = group.map(({ writes: [write] }) => write);
    if (first !== undefined && (await write([first, ...others]))) {
      for (const { kind } of group) countOf(kind.name).written += 1;
    } else for (const each of group) await bringBack(each);
  };

  const pass = async (number: 1 | 2): Promise<void> => {
    const look = async (Segment: number): Promise<void> => {
      const pages = scanPages(restored.client, {
        TableName: restored.tableName,
        ConsistentRead: true,
        Segment,
        TotalSegments: segments,
      });
      for await (const { Items = [] } of pages) {
        const wanted = Items.flatMap((item) => {
          const kind = table.kinds.find(({ matches }) => matches(item));
          if (kind === undefined || hasEnded(item)) {
            if (number === 1) countOf(kind === undefined ? notKnown : ended).left += 1;
            return [];
          }
          return (kind.pass ?? 1) === number ? [{ kind, item }] : [];
        });
        for (let first = 0; first < wanted.length; first += readsAtOnce) {
          const chunk = wanted.slice(first, first + readsAtOnce);
          const found = await liveItems(
            live,
            table,
            chunk.map(({ item }) => item),
          );
          const decided = await inParallel(chunk, {
            atOnce: writesAtOnce,
            run: async ({ kind, item }) => ({
              kind,
              item,
              decision: await decide(kind, item, found.get(nameOf(table, item))),
            }),
          });
          const single = decided.flatMap((each) =>
            isSingle(each.decision) ? { ...each, ...each.decision } : [],
          );
          await Promise.all(together(single).map(bringBackTogether));
          await inParallel(
            decided.filter(({ decision }) => !isSingle(decision)),
            { atOnce: writesAtOnce, run: bringBack },
          );
          onItems(chunk.length);
        }
      }
    };
    await Promise.all(Array.from({ length: segments }, (_, segment) => look(segment)));
  };

  await pass(1);
  if (table.kinds.some((kind) => kind.pass === 2)) await pass(2);
  if (pretended === undefined) await patiently(live.client, async () => table.after?.());
  return [...counts.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
};

type Writing = Extract<Restoring, { readonly outcome: 'write' }>;

interface Decided {
  readonly kind: ItemKind;
  readonly item: Item;
  readonly decision: Restoring;
}

const isSingle = (decision: Restoring): decision is Writing =>
  decision.outcome === 'write' && decision.writes.length === 1;

const keyOf = ({ keys }: RestorableTable, item: Item): Record<string, unknown> =>
  Object.fromEntries(keys.map((name) => [name, item[name]]));

const nameOf = (table: RestorableTable, item: Item): string => JSON.stringify(keyOf(table, item));

const liveItems = async (
  live: Table,
  table: RestorableTable,
  items: readonly Item[],
): Promise<ReadonlyMap<string, Item>> => {
  const keys = items.map((item) => keyOf(table, item));
  const found = await patiently(live.client, () => batchGet({ ...live, keys }));
  return new Map(found.map((item) => [nameOf(table, item), item]));
};

const readAgain = async (live: Table, table: RestorableTable, item: Item): Promise<Item | undefined> =>
  (await liveItems(live, table, [item])).get(nameOf(table, item));
