import type { Item } from './expressions.ts';

/** One write of an item, with the content of a record in the table's stream. */
export interface Written {
  readonly table: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** The token of the transaction that has written the item. @default it was written without a token */
  readonly token?: string | undefined;
}

interface IndexName {
  readonly table: string;
  /** @default the table itself is read */
  readonly index: string | undefined;
}

/** How far indexes may lag behind their tables. */
export const lagAtMost = 5_000;

/** Remembers the last writes, for reads that need not be consistent. */
export const createPast = ({ now }: { readonly now: () => number }) => {
  const writes: (Written & { readonly at: number })[] = [];
  const held = new Map<string, readonly Item[]>();
  const nameOf = ({ table, index }: IndexName): string => `${table} ${index}`;
  return {
    /** From now on, an index has only these items of its table. */
    holdIndex: (name: IndexName, items: readonly Item[]): void => void held.set(nameOf(name), items),
    /** The index has everything again. */
    releaseIndex: (name: IndexName): void => void held.delete(nameOf(name)),
    /** What an index has that stands still. `undefined`: it does not. */
    heldBy: (name: IndexName): readonly Item[] | undefined => held.get(nameOf(name)),
    remember: (written: Written): void => {
      while (writes[0] !== undefined && writes[0].at < now() - lagAtMost) writes.shift();
      writes.push({ ...written, at: now() });
    },
    /** Returns the items that a table had at this time. `items` are the items that the table has now. */
    itemsAt: (time: number, table: string, items: readonly Item[]): Item[] => {
      const then = new Set(items);
      for (const { at, before, after, ...written } of writes.toReversed()) {
        if (at <= time) break;
        if (written.table !== table) continue;
        if (after !== undefined) then.delete(after);
        if (before !== undefined) then.add(before);
      }
      return [...then];
    },
  };
};
