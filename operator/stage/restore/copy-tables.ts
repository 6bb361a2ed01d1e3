import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { copyTable, type KindCount } from './copy-table.ts';
import { pretendedPuts } from './pretended-puts.ts';
import { type RestorableName, type RestoreContext, restorable } from './tables.ts';

interface CopyTablesOptions {
  readonly client: DocumentClient;
  /** For each table to restore, by its name: the name of the table with its earlier state. */
  readonly sources: ReadonlyMap<RestorableName, string>;
  readonly context: RestoreContext;
  readonly isDryRun: boolean;
  readonly clock: () => number;
  /** Waits until the table with the earlier state exists. @default it exists already */
  readonly ready?: (tables: { readonly source: string; readonly live: string }) => Promise<void>;
  /** @default no call */
  readonly onItems?: (name: RestorableName, count: number) => void;
  /** Called with the reason for each item that is left for a reason. @default no call */
  readonly onLeft?: (why: string) => void;
}

export type TableCount = { readonly table: RestorableName } & KindCount;

/** Restores the items that tables have lost. A table comes after the tables on which its items depend. */
export const copyTables = async ({
  client,
  sources,
  context,
  isDryRun,
  clock,
  ready = async () => {},
  onItems = () => {},
  onLeft = () => {},
}: CopyTablesOptions): Promise<readonly TableCount[]> => {
  const rows: TableCount[] = [];
  const pretended = isDryRun ? pretendedPuts(client) : undefined;
  const all = Object.entries(restorable) as [RestorableName, (typeof restorable)[RestorableName]][];
  for (const [table, { output, of }] of all) {
    const source = sources.get(table);
    if (source === undefined) continue;
    const live = context.liveName(output);
    await ready({ source, live });
    const tables = {
      live: { client: pretended?.client ?? client, tableName: live },
      restored: { client, tableName: source },
    };
    const counts = await copyTable({
      ...tables,
      table: of(tables, context),
      pretended,
      clock,
      onItems: (count) => onItems(table, count),
      onLeft,
    });
    rows.push(...counts.map((count) => ({ table, ...count })));
  }
  return rows;
};
