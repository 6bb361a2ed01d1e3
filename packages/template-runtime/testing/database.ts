import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamoDbEngine } from '../engines/dynamodb/engine.ts';
import type { DynamoDbEngine } from '../engines/dynamodb/types.ts';
import { type ChildOptions, startChild } from '../processes/child-process.ts';
import { freePort } from '../processes/free-port.ts';

/** A real database for tests. */
export interface TestDatabase {
  readonly endpoint: string;
  readonly engine: DynamoDbEngine;
  readonly settings: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  readonly client: DynamoDBClient;
  /** The plain SDK client, with which a test reads and writes items directly. */
  readonly sdk: DynamoDBDocumentClient;
  stop(): Promise<void>;
}

/**
 * Starts AWS's own DynamoDB Local if `DYNAMODB_LOCAL` names the folder with its jars.
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

/**
 * Starts an empty database in a temporary folder.
 *
 * @public
 * @param server A server that speaks DynamoDB's protocol. It is stopped with the database. @default the embedded one
 */
export const startTestDatabase = async (server?: {
  readonly endpoint: string;
  stop(): Promise<void>;
}): Promise<TestDatabase> => {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'test-database-'));
  const onUnexpectedExit = (reason: string): void => {
    throw new Error(reason);
  };
  const other = server ?? (await startDynamoDbLocal({ stateDirectory, onUnexpectedExit }));
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
    settings,
    client,
    sdk: DynamoDBDocumentClient.from(client),
    stop: async () => {
      client.destroy();
      await engine.stop();
      await other?.stop();
      rmSync(stateDirectory, { recursive: true, force: true });
    },
  };
};
