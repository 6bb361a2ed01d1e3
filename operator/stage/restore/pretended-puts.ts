import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import type { Item } from '../../../shared/platform/store/restored-items.ts';

/**
 * In a dry run: what a real run would have put into the live tables before, so that what depends on it is decided as in
 * a real run.
 */
export interface PretendedPuts {
  /** Reads an item as if it had been put. */
  readonly client: DocumentClient;
  /**
   * Notes that items of a restored table would be put into the live one. Returns whether a real run would put them:
   * `false` if it has put one of them before.
   */
  put(tables: { readonly live: string; readonly restored: string }, keys: readonly Item[]): boolean;
}

export const pretendedPuts = (client: DocumentClient): PretendedPuts => {
  /** The restored tables, by the items of the live ones. The items themselves can be too many to keep. */
  const sources = new Map<string, string>();
  const nameOf = (tableName: string, key: Item): string =>
    JSON.stringify([tableName, Object.entries(key).sort()]);
  return {
    client: {
      ...client,
      get: (input) => {
        const { TableName = '', Key = {} } = input;
        return client.get({ ...input, TableName: sources.get(nameOf(TableName, Key)) ?? TableName });
      },
    },
    put: ({ live, restored }, keys) => {
      const names = keys.map((key) => nameOf(live, key));
      if (names.some((name) => sources.has(name))) return false;
      for (const name of names) sources.set(name, restored);
      return true;
    },
  };
};
