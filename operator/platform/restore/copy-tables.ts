import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { copyTable, type KindCount } from './copy-table.ts';
import { type RestorableName, type RestoreContext, restorable } from './tables.ts';

interface CopyTablesOptions {
  readonly client: DocumentClient;
  /** The name of the table with the earlier state, by the name of each table that is to come back. */
  readonly sources: ReadonlyMap<RestorableName, string>;
  readonly context: RestoreContext;
  readonly isDryRun: boolean;
  readonly clock: () => number;
  /** Waits until the table with the earlier state is there. @default it is */
  readonly ready?: (tables: { readonly source: string; readonly live: string }) => Promise<void>;
  /** @default no call */
  readonly onItems?: (name: RestorableName, count: number) => void;
}

export type TableCount = { readonly table: RestorableName } & KindCount;

/** Brings back what tables have lost, one table after the other, in the order that they need. */
export const copyTables = async ({
  client,
  sources,
  context,
  isDryRun,
  clock,
  ready = async () => {},
  onItems = () => {},
}: CopyTablesOptions): Promise<readonly TableCount[]> => {
  const rows: TableCount[] = [];
  const all = Object.entries(restorable) as [RestorableName, (typeof restorable)[RestorableName]][];
  for (const [table, { output, of }] of all) {
    const source = sources.get(table);
    if (source === undefined) continue;
    const live = context.liveName(output);
    await ready({ source, live });
    const tables = { live: { client, tableName: live }, restored: { client, tableName: source } };
    const counts = await copyTable({
      ...tables,
      table: of(tables, context),
      isDryRun,
      clock,
      onItems: (count) => onItems(table, count),
    });
    rows.push(...counts.map((count) => ({ table, ...count })));
  }
  return rows;
};
