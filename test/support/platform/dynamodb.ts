import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamoDbEngine } from 'template-runtime/engines/dynamodb/engine.ts';
import type { DynamoDbEngine } from 'template-runtime/engines/dynamodb/types.ts';
import { type ChildOptions, startChild } from 'template-runtime/processes/child-process.ts';
import { freePort } from 'template-runtime/processes/free-port.ts';
import { tableDefinition, tableOptions, tableProperties } from 'template-runtime/resources/dynamodb-table.ts';
import { type DocumentClient, documentClientOf } from '../../../shared/platform/store/client.ts';
import { localTemplate } from './local-assembly.ts';

/** A real database for tests. */
export interface TestDatabase {
  readonly endpoint: string;
  readonly engine: DynamoDbEngine;
  readonly client: DynamoDBClient;
  /** The client that the service's functions use. */
  readonly documents: DocumentClient;
  /** The plain SDK client, with which a test reads and writes items directly. */
  readonly sdk: DynamoDBDocumentClient;
  stop(): Promise<void>;
}

/**
 * Starts AWS's own DynamoDB Local if `DYNAMODB_LOCAL` names the folder with its jars, as in `npm run check:engines`.
 * The clients here use several access keys. With `-sharedDb` they all see one database, instead of one for each key.
 */
const startDynamoDbLocal = async (
  options: Pick<ChildOptions, 'stateDirectory' | 'onUnexpectedExit'>,
): Promise<{ readonly endpoint: string; readonly stop: () => Promise<void> } | undefined> => {
  const jars = process.env.DYNAMODB_LOCAL;
  if (jars === undefined) return undefined;
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = await startChild({
    ...options,
    name: 'dynamodb-local',
    command: 'java',
    arguments: [
      `-Djava.library.path=${jars}`,
      `-classpath`,
      join(jars, '*'),
      'software.amazon.dynamodb.services.local.main.ServerRunner',
      '-inMemory',
      '-sharedDb',
      '-disableTelemetry',
      '-port',
      String(port),
    ],
    readyTimeoutMilliseconds: 60_000,
    isReady: () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
  });
  return { endpoint, stop: () => child.stop(0) };
};

/** Starts an empty database in a temporary folder. */
export const startDatabase = async (): Promise<TestDatabase> => {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'marquee-database-'));
  const onUnexpectedExit = (reason: string): void => {
    throw new Error(reason);
  };
  const other = await startDynamoDbLocal({ stateDirectory, onUnexpectedExit });
  const engine = await createDynamoDbEngine({
    stateDirectory,
    region: 'us-east-1',
    ...(other && { endpoint: other.endpoint }),
    onUnexpectedExit,
  });
  const settings = {
    endpoint: engine.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const client = new DynamoDBClient(settings);
  return {
    endpoint: engine.endpoint,
    engine,
    client,
    documents: documentClientOf(settings),
    sdk: DynamoDBDocumentClient.from(client),
    stop: async () => {
      client.destroy();
      await engine.stop();
      await other?.stop();
      rmSync(stateDirectory, { recursive: true, force: true });
    },
  };
};

/**
 * Creates the tables that the template declares with these construct ids (`Contracts` is the id in `new
 * MarqueeTable(this, 'Contracts', …)`) and returns their names. A `prefix` separates the tables of tests that share a
 * database.
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
      await database.engine.createTable(tableDefinition(name, properties), tableOptions(properties));
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
