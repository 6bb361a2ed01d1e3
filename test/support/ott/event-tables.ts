import { afterAll, beforeAll } from 'vitest';
import type { Table } from '../../../shared/platform/store/client.ts';
import { createTables, startDatabase, type TestDatabase } from '../platform/dynamodb.ts';

/** Starts a database for the tests of a file. Each call of what it returns creates an empty table of events in it. */
export const newEventTables = (): (() => Promise<Table>) => {
  let database: TestDatabase;
  let count = 0;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(async () => {
    await database.stop();
  });
  return async () => {
    count += 1;
    const { Events: tableName } = await createTables(database, ['Events'], `events-${count}`);
    return { client: database.documents, tableName };
  };
};
