import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import type { Item } from '../../simulation/expressions.ts';
import { plainClient } from '../../simulation/plain-client.ts';
import { createStore } from '../../simulation/store.ts';

/** A write that the items, as they are stored when it is executed, must refuse. */
export interface RefusedWrite {
  readonly items: readonly Item[];
  readonly write: (client: DocumentClient) => Promise<unknown>;
  /** Items that other processes write after the first write of the call. @default none */
  readonly meanwhile?: readonly Item[];
}

export const tableName = 'Table';
/** Another table that a call writes too. It is empty. */
export const otherTableName = 'Other';

/** Executes a write over a table with these items. Returns the items that it changed, as they are after it. */
export const changesOf = async (
  { items, write, meanwhile = [] }: RefusedWrite,
  keys: readonly [string, string?],
): Promise<readonly unknown[]> => {
  const store = createStore({ [tableName]: { keys }, [otherTableName]: { keys: ['pk'] } }, { now: () => 0 });
  for (const Item of items) store.put({ TableName: tableName, Item });
  const changed: unknown[] = [];
  let isOwn = true;
  let left = meanwhile;
  store.watch(({ after }) => {
    if (isOwn) changed.push(after);
    if (left.length === 0) return;
    const others = left;
    left = [];
    changed.length = 0;
    isOwn = false;
    for (const Item of others) store.put({ TableName: tableName, Item });
    isOwn = true;
  });
  // Some calls say that they were refused, others throw.
  await write(plainClient(store)).catch(() => {});
  return changed;
};
