import { tableDefinition, tableOptions, tableProperties } from 'template-runtime/resources/dynamodb-table.ts';
import { type TestDatabase as Database, startTestDatabase } from 'template-runtime/testing/database.ts';
import { type DocumentClient, documentClientOf } from '../../../shared/platform/store/client.ts';
import { startStoreServer } from '../../simulation/store-server.ts';
import { localTemplate } from './local-assembly.ts';

/** A real database for tests. */
export interface TestDatabase extends Database {
  /** The client that the service's functions use. */
  readonly documents: DocumentClient;
}

/**
 * Starts an empty database in a temporary folder: the simulator's store if `SIMULATED_STORE` is set, as in `npm run
 * check:engines`. Then the tests of adapters show that it judges their expressions as DynamoDB does.
 */
export const startDatabase = async (): Promise<TestDatabase> => {
  const server = process.env.SIMULATED_STORE === undefined ? undefined : await startStoreServer();
  const database = await startTestDatabase(server);
  return { ...database, documents: documentClientOf(database.settings) };
};

/**
 * Creates the tables that the template declares with these construct ids (`Contracts` is the id in `new
 * MarqueeTable(this, 'Contracts', …)`) and returns their names. A `prefix` separates the tables of tests that share a
 * database. The tables have no journal for point-in-time recovery, which each write would fill.
 */
export const createTables = async <const Id extends string>(
  database: TestDatabase,
  ids: readonly Id[],
  prefix = 'test',
): Promise<Record<Id, string>> => {
  const names = await Promise.all(
    ids.map(async (id) => {
      const { SSESpecification, ...declared } = declaredTable(id);
      const properties = tableProperties.parse(declared);
      const name = `${prefix}-${id}`;
      const options = { ...tableOptions(properties), hasRecovery: false };
      await database.engine.createTable(tableDefinition(name, properties), options);
      return [id, name] as const;
    }),
  );
  return Object.fromEntries(names) as Record<Id, string>;
};

const declaredTable = (id: string): Record<string, unknown> => {
  const tables = Object.values(localTemplate().Resources).filter(({ Type, Metadata }) => {
    const path = String(Metadata?.['aws:cdk:path']);
    return Type === 'AWS::DynamoDB::Table' && path.endsWith(`/${id}/Table/Resource`);
  });
  const [table, ...others] = tables;
  if (!table || others.length > 0) throw new Error(`the template has ${tables.length} tables called ${id}`);
  return table.Properties;
};
