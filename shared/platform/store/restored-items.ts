/** How items of a restored table, which has the state of an earlier moment, come back into the live table. */
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';

export type Item = Readonly<Record<string, unknown>>;
export type RestoringWrite = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** What becomes of an item of the restored table. */
export type Restoring =
  /**
   * The writes are made together or not at all. The condition of each is that the live item has not changed since it
   * was read.
   */
  | { readonly outcome: 'write'; readonly writes: readonly [RestoringWrite, ...RestoringWrite[]] }
  /** The live table has the item, or newer information about it. */
  | { readonly outcome: 'keep' }
  /**
   * The item is not brought back, although the live table lacks it. `why` is for the operator, where a change of the live
   * table would let the item come back.
   */
  | { readonly outcome: 'leave'; readonly why?: string };

export const keep: Restoring = { outcome: 'keep' };
export const leave: Restoring = { outcome: 'leave' };
export const write = (...writes: readonly [RestoringWrite, ...RestoringWrite[]]): Restoring => ({
  outcome: 'write',
  writes,
});

/** Items of one kind in a table. */
export interface ItemKind {
  readonly name: string;
  readonly matches: (item: Item) => boolean;
  /**
   * Items of the second pass are looked at when all items of the first have come back. @default 1
   */
  readonly pass?: 2;
  /** Called again with the live item of then if the writes were refused. */
  readonly decide: (restored: Item, live: Item | undefined) => Restoring | Promise<Restoring>;
}

/** A table and all kinds of its items. Items of no kind are left out. */
export interface RestorableTable {
  /** The names of the key attributes. */
  readonly keys: readonly [string, ...string[]];
  /**
   * The attribute that says, in epoch seconds, when an item ends. Ended items never come back. @default items do not
   * end
   */
  readonly timeToLive?: string;
  /** An item is of the first kind that matches. */
  readonly kinds: readonly ItemKind[];
  /** Called when all items have come back. Called again where the command is run again. @default nothing */
  readonly after?: () => Promise<void>;
}

/** Both states of a table. */
export interface RestoredTables {
  readonly live: Table;
  readonly restored: Table;
}

export const startsWith =
  (prefix: string, attribute = 'pk') =>
  (item: Item): boolean =>
    String(item[attribute]).startsWith(prefix);

/** Writes an item that the live table does not have. `key` is one of its key attributes. */
export const putMissing = (tableName: string, item: Item, key = 'pk'): RestoringWrite => ({
  Put: { TableName: tableName, Item: item, ConditionExpression: `attribute_not_exists(${key})` },
});

/** Brings an item back if the live table does not have it. */
export const ifMissing =
  (tableName: string, key = 'pk'): ItemKind['decide'] =>
  (restored, live) =>
    live === undefined ? write(putMissing(tableName, restored, key)) : keep;

export const never = (): Restoring => leave;
