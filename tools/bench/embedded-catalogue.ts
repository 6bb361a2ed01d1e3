import { execFile } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { createDynamoDbEngine } from 'template-runtime/engines/dynamodb/engine.ts';
import type { Event } from '../../shared/ott/events/event.ts';
import type { EventRepository } from '../../shared/ott/ports/event-repository.ts';
import { itemsOf } from '../../shared/ott/store/event-items.ts';
import { dynamoDbEvents } from '../../shared/ott/store/events.ts';
import { documentClientOf } from '../../shared/platform/store/client.ts';
import { createTables, startDatabase } from '../../test/support/platform/dynamodb.ts';
import { synthesizeTemplate } from '../../test/support/platform/local-assembly.ts';

type Item = Readonly<Record<string, unknown>>;

export interface EmbeddedCatalogues extends AsyncDisposable {
  /** Of each size, in a table of its own. */
  readonly catalogues: readonly EventRepository[];
  /** The number of requests to the database since its start, including retries. */
  readonly requests: () => number;
}

const tableNameOf = (size: number): string => `events-${size}`;

/**
 * Starts the embedded database with catalogues of these sizes. The items are imported from files in the format of DynamoDB
 * exports, because writing a hundred thousand items one by one would take too long.
 */
export const embeddedCatalogues = async (
  sizes: readonly number[],
  eventOf: (index: number) => Event,
): Promise<EmbeddedCatalogues> => {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
  const declared = await declaredTable();
  writeFileSync(
    join(directory, 'schema.json'),
    JSON.stringify(sizes.map((size) => ({ Table: { ...declared, TableName: tableNameOf(size) } }))),
  );
  for (const size of sizes) {
    const items = Array.from({ length: size }, (_, index) =>
      itemsOf(eventOf(index), { version: 1, now: Date.now() }),
    ).flat();
    const data = join(directory, 'export', tableNameOf(size), 'data');
    mkdirSync(data, { recursive: true });
    await pipeline(
      Readable.from(linesOf(items)),
      createGzip({ level: 1 }),
      createWriteStream(join(data, 'items.json.gz')),
    );
  }
  mkdirSync(join(directory, 'state', 'dynamodb'), { recursive: true });
  await promisify(execFile)(
    createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`),
    ['import', '--source', 'export', '--schema', 'schema.json', '--output', 'state/dynamodb/tables.db'],
    { cwd: directory },
  );

  const engine = await createDynamoDbEngine({
    stateDirectory: join(directory, 'state'),
    region: 'us-east-1',
    onUnexpectedExit: (reason) => {
      throw new Error(reason);
    },
  });
  let requests = 0;
  const client = documentClientOf(
    {
      endpoint: engine.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    },
    {
      onAttempt: () => {
        requests += 1;
      },
    },
  );
  return {
    catalogues: sizes.map((size) => dynamoDbEvents({ client, tableName: tableNameOf(size) })),
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      await engine.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

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

const itemsAtOnce = 500;

function* linesOf(items: readonly Item[]): Generator<string> {
  let lines: string[] = [];
  for (const item of items) {
    lines.push(`${JSON.stringify({ Item: attributesOf(item) })}\n`);
    if (lines.length < itemsAtOnce) continue;
    yield lines.join('');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('');
}

const attributesOf = (item: Item): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, attributeOf(value)]),
  );

const attributeOf = (value: unknown): Record<string, unknown> => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value === 'number') return { N: String(value) };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { L: value.map(attributeOf) };
  if (typeof value === 'object') return { M: attributesOf(value as Item) };
  throw new Error(`An item holds no ${typeof value}`);
};
