import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { ServiceFault } from '../service-fault.ts';
import type { Recovery, TableDefinition } from './types.ts';
import { type Call, DynamoDbFault } from './wire.ts';

const target = (operation: string) => `DynamoDB_20120810.${operation}`;

/** How far back a table can be restored, and how far behind the newest such moment is (*PointInTimeRecoveryDescription*). */
const keptMilliseconds = 35 * 24 * 3_600_000;
const behindMilliseconds = 5 * 60_000;
/** The maximum number of items in one BatchWriteItem. */
const batchItems = 25;

const tableSchema = z.object({
  TableStatus: z.string(),
  KeySchema: z.array(z.unknown()),
  AttributeDefinitions: z.array(z.unknown()),
  GlobalSecondaryIndexes: z
    .array(z.object({ IndexName: z.string(), KeySchema: z.unknown(), Projection: z.unknown() }))
    .optional(),
  LocalSecondaryIndexes: z
    .array(z.object({ IndexName: z.string(), KeySchema: z.unknown(), Projection: z.unknown() }))
    .optional(),
});
const answerSchema = z.object({ Table: tableSchema });
const itemRows = z.array(z.object({ item: z.string() }));
const restoreRow = z.object({ target: z.string(), source: z.string(), at: z.number() });

type Restore = z.output<typeof restoreRow>;

export interface RecoveryOptions {
  /** The SQLite file of the embedded server. */
  readonly databaseFile: string;
  readonly call: Call;
  readonly createTable: (definition: TableDefinition) => Promise<unknown>;
  readonly report: (problem: string) => void;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const triggerOf = (table: string, event: string): string => `runtime_journal_${event}:${table}`;
const machineMilliseconds = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

/**
 * Keeps a journal in the database file of the embedded server, with the state of each item before each write. Triggers
 * fill the journal in the transaction of the write itself, so no write is missing. To restore a table to a moment, the
 * writes after that moment are undone in a copy of the current items. Times are those of the machine's clock.
 */
export const pointInTimeRecovery = ({
  databaseFile,
  call,
  createTable,
  report,
}: RecoveryOptions): Recovery => {
  const database = new DatabaseSync(databaseFile, { timeout: 5_000 });
  database.exec(`
    CREATE TABLE IF NOT EXISTS runtime_recovery (table_name TEXT PRIMARY KEY, since INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS runtime_journal (
      id INTEGER PRIMARY KEY, at INTEGER NOT NULL, table_name TEXT NOT NULL, pk TEXT, sk TEXT, item TEXT);
    CREATE TABLE IF NOT EXISTS runtime_restores (
      target TEXT PRIMARY KEY, source TEXT NOT NULL, at INTEGER NOT NULL);`);
  database.prepare('DELETE FROM runtime_journal WHERE at < ?').run(Date.now() - keptMilliseconds);
  const underWay = new Set<Promise<void>>();
  let isStopped = false;

  const hasJournal = (table: string): boolean =>
    database
      .prepare("SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = ?")
      .get(triggerOf(table, 'INSERT')) !== undefined;

  const forget = (table: string): void => {
    database.prepare('DELETE FROM runtime_recovery WHERE table_name = ?').run(table);
    database.prepare('DELETE FROM runtime_journal WHERE table_name = ?').run(table);
  };

  const windowOf = (table: string): { readonly earliest: number; readonly latest: number } | undefined => {
    const row = database.prepare('SELECT since FROM runtime_recovery WHERE table_name = ?').get(table);
    if (row === undefined || !hasJournal(table)) return undefined;
    const earliest = Math.max(Number(row.since), Date.now() - keptMilliseconds);
    return { earliest, latest: Math.max(earliest, Date.now() - behindMilliseconds) };
  };

  const describe = async (table: string): Promise<z.output<typeof tableSchema> | undefined> => {
    try {
      return answerSchema.parse(await call(target('DescribeTable'), { TableName: table })).Table;
    } catch (error) {
      if (error instanceof DynamoDbFault && error.code === 'ResourceNotFoundException') return undefined;
      throw error;
    }
  };

  /** The items in DynamoDB's JSON. */
  const itemsAt = (table: string, at: number): unknown[] => {
    const found = database
      .prepare(`
        WITH undone AS (
          SELECT pk, sk, item, MIN(id) FROM runtime_journal WHERE table_name = ? AND at > ? GROUP BY pk, sk)
        SELECT item FROM undone WHERE item IS NOT NULL
        UNION ALL
        SELECT item_json FROM ${quoted(table)} AS kept
          WHERE NOT EXISTS (SELECT 1 FROM undone WHERE undone.pk = kept.pk AND undone.sk = kept.sk)`)
      .all(table, at);
    return itemRows.parse(found).map(({ item }) => JSON.parse(item));
  };

  const restoring = new Map(
    z
      .array(restoreRow)
      .parse(database.prepare('SELECT * FROM runtime_restores').all())
      .map((restore) => [restore.target, restore]),
  );

  const make = async ({ target: table, source }: Restore): Promise<void> => {
    const found = await describe(source);
    if (found === undefined) throw new Error(`the table ${source} is gone`);
    const { TableStatus, ...shape } = found;
    await createTable({ ...shape, TableName: table, BillingMode: 'PAY_PER_REQUEST' });
  };
  const fill = async ({ target: table, source, at }: Restore): Promise<void> => {
    const items = itemsAt(source, at);
    for (let first = 0; first < items.length; first += batchItems) {
      if (isStopped) return;
      const requests = items.slice(first, first + batchItems).map((Item) => ({ PutRequest: { Item } }));
      await call(target('BatchWriteItem'), { RequestItems: { [table]: requests } });
    }
    database.prepare('DELETE FROM runtime_restores WHERE target = ?').run(table);
    restoring.delete(table);
  };
  /** A table that cannot be filled stays `CREATING`. */
  const begin = (restore: Restore, filling: Promise<void>): void => {
    const ended = filling
      .catch((error: unknown) => report(`The table ${restore.target} is not restored: ${String(error)}`))
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
  };
  // Only the restore writes into a table that is being restored. So a restore that was interrupted by a kill can start
  // again.
  for (const cutOff of restoring.values())
    begin(
      cutOff,
      make(cutOff).then(() => fill(cutOff)),
    );

  return {
    enable: (table) => {
      if (hasJournal(table)) return;
      forget(table);
      const old = (row: string) =>
        `INSERT INTO runtime_journal (at, table_name, pk, sk, item) VALUES (${machineMilliseconds}, ${text(table)},
          ${row}.pk, ${row}.sk,
          (SELECT item_json FROM ${quoted(table)} WHERE pk = ${row}.pk AND sk = ${row}.sk));`;
      // A put replaces the row. SQLite runs no trigger for the deletion in it.
      const triggers = (['INSERT', 'UPDATE', 'DELETE'] as const).map(
        (event) =>
          `CREATE TRIGGER ${quoted(triggerOf(table, event))} BEFORE ${event} ON ${quoted(table)}
           BEGIN ${old(event === 'INSERT' ? 'NEW' : 'OLD')} END;`,
      );
      database.exec(`BEGIN IMMEDIATE; ${triggers.join('\n')}
        INSERT INTO runtime_recovery VALUES (${text(table)}, ${machineMilliseconds}); COMMIT;`);
    },
    disable: (table) => {
      if (database.prepare('SELECT 1 FROM runtime_recovery WHERE table_name = ?').get(table) === undefined)
        return;
      for (const event of ['INSERT', 'UPDATE', 'DELETE'])
        database.exec(`DROP TRIGGER IF EXISTS ${quoted(triggerOf(table, event))}`);
      forget(table);
    },
    windowOf,
    restoring,
    restore: async ({ sourceTable, targetTable, at: asked }) => {
      const source = await describe(sourceTable);
      if (source === undefined)
        throw new ServiceFault({
          code: 'TableNotFoundException',
          message: `Table not found: ${sourceTable}`,
        });
      const window = windowOf(sourceTable);
      if (window === undefined) {
        throw new ServiceFault({
          code: 'PointInTimeRecoveryUnavailableException',
          message: `Point in time recovery is not enabled for table '${sourceTable}'`,
        });
      }
      const at = asked ?? window.latest;
      if (at < window.earliest || at > window.latest) {
        throw new ServiceFault({
          code: 'InvalidRestoreTimeException',
          message: `RestoreDateTime must be between ${new Date(window.earliest).toISOString()} and ${new Date(window.latest).toISOString()}`,
        });
      }
      if ((await describe(targetTable)) !== undefined || restoring.has(targetTable)) {
        throw new ServiceFault({
          code: 'TableAlreadyExistsException',
          message: `Table already exists: ${targetTable}`,
        });
      }
      const restore: Restore = { target: targetTable, source: sourceTable, at };
      database.prepare('INSERT INTO runtime_restores VALUES (?, ?, ?)').run(targetTable, sourceTable, at);
      restoring.set(targetTable, restore);
      await make(restore);
      // The caller gets its answer before the items are written, as on AWS.
      begin(restore, fill(restore));
      return { at };
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(underWay);
      database.close();
    },
  };
};
