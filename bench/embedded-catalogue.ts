import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamoDbEngine } from 'template-runtime/engines/dynamodb/engine.ts';
import { itemsOf } from '../shared/adapters/dynamodb/event-items.ts';
import { dynamoDbEvents } from '../shared/adapters/dynamodb/events.ts';
import type { Event } from '../shared/ott/event.ts';
import type { EventRepository } from '../shared/ott/ports/event-repository.ts';
import { createTables, startDatabase } from '../test/support/dynamodb.ts';
import { synthesizeTemplate } from '../test/support/local-assembly.ts';

export interface EmbeddedCatalogues extends AsyncDisposable {
  /** Requests that came to the database since it was started, the SDK's repetitions included. */
  readonly requests: () => number;
  /** One for each size asked for. */
  readonly catalogues: readonly EventRepository[];
}

/**
 * Catalogues on the embedded database, brought in as an export of DynamoDB: item by item a hundred thousand
 * would take minutes.
 */
export const embeddedCatalogues = async (
  sizes: readonly number[],
  eventOf: (index: number) => Event,
): Promise<EmbeddedCatalogues> => {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
  const tableNames = sizes.map((size) => `events-${size}`);
  const schema = await declaredTable();
  writeFileSync(
    join(directory, 'schema.json'),
    JSON.stringify(tableNames.map((TableName) => ({ Table: { ...schema, TableName } }))),
  );
  for (const [index, tableName] of tableNames.entries()) {
    const lines = Array.from({ length: sizes[index] ?? 0 }, (_, item) =>
      itemsOf(eventOf(item), 1).map((each) => JSON.stringify({ Item: attributesOf(each) })),
    ).flat();
    const data = join(directory, 'export', tableName, 'data');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'items.json.gz'), gzipSync(lines.join('\n'), { level: 1 }));
  }
  mkdirSync(join(directory, 'state', 'dynamodb'), { recursive: true });
  await promisify(execFile)(
    createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`),
    ['import', '--source', 'export', '--schema', 'schema.json', '--output', 'state/dynamodb/marquee.db'],
    { cwd: directory },
  );

  const engine = await createDynamoDbEngine({
    stateDirectory: join(directory, 'state'),
    region: 'us-east-1',
    onUnexpectedExit: (reason) => {
      throw new Error(reason);
    },
  });
  const client = new DynamoDBClient({
    endpoint: engine.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });
  const documents = DynamoDBDocumentClient.from(client);
  let requests = 0;
  documents.middlewareStack.add(
    (next) => (request) => {
      requests += 1;
      return next(request);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  return {
    requests: () => requests,
    catalogues: tableNames.map((tableName) => dynamoDbEvents({ client: documents, tableName })),
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      await engine.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** The table as the template declares it and the database describes it. */
const declaredTable = async () => {
  await synthesizeTemplate();
  const database = await startDatabase();
  try {
    const { Events: TableName } = await createTables(database, ['Events']);
    const { Table } = await database.client.send(new DescribeTableCommand({ TableName }));
    return Table;
  } finally {
    await database.stop();
  }
};

/** DynamoDB's JSON of what an event's item holds: text, lists, objects, booleans and null. */
const attributesOf = (item: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, attributeOf(value)]));

const attributeOf = (value: unknown): Record<string, unknown> => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value === 'number') return { N: String(value) };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(attributeOf) };
  if (typeof value === 'object') return { M: attributesOf(value as Record<string, unknown>) };
  throw new Error(`An event holds no ${typeof value}`);
};
