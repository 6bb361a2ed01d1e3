import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDynamoDbEngine } from '../../engines/dynamodb/engine.ts';
import type { TableDefinition } from '../../engines/dynamodb/types.ts';
import { startTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { waitFor } from '../../testing/wait.ts';

const withStream = (TableName: string): TableDefinition => ({
  TableName,
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
});

/** Settings that are not used if a server is already running. */
const elsewhere = {
  stateDirectory: '/nowhere',
  region: 'us-east-1',
  onUnexpectedExit: (reason: string) => {
    throw new Error(reason);
  },
};

describe('the embedded database', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.stop());

  const streamOf = async (name: string): Promise<string> => {
    const { streamArn } = await database.engine.createTable(withStream(name));
    if (!streamArn) throw new Error(`${name} has no stream`);
    return streamArn;
  };

  it('keeps an existing table and its items when the table is created again', async () => {
    await database.engine.createTable(withStream('kept'));
    await database.sdk.send(new PutCommand({ TableName: 'kept', Item: { pk: 'a', n: 1 } }));

    await database.engine.createTable(withStream('kept'));

    const { Item } = await database.sdk.send(new GetCommand({ TableName: 'kept', Key: { pk: 'a' } }));
    expect(Item).toEqual({ pk: 'a', n: 1 });
  });

  it('rejects a table that exists with other keys', async () => {
    await database.engine.createTable(withStream('rekeyed'));

    const again = database.engine.createTable({
      ...withStream('rekeyed'),
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });

    await expect(again).rejects.toThrow('the table rekeyed was created with other keys');
  });

  it('adds one missing global index with the existing items, and rejects two new indexes in one call', async () => {
    const { KeySchema, AttributeDefinitions, ...rest } = withStream('indexed');
    const key = (name: string) => ({ AttributeName: name, AttributeType: 'S' });
    const index = (name: string) => ({
      IndexName: name,
      KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    });
    const declared = (...names: string[]): TableDefinition => ({
      ...rest,
      KeySchema,
      AttributeDefinitions: [...AttributeDefinitions, ...names.map(key)],
      ...(names.length > 0 && { GlobalSecondaryIndexes: names.map(index) }),
    });
    const { streamArn } = await database.engine.createTable(declared());
    await database.sdk.send(new PutCommand({ TableName: 'indexed', Item: { pk: 'a', colour: 'o', n: 1 } }));

    await expect(database.engine.createTable(declared('colour', 'third'))).rejects.toThrow(
      'the table indexed was created with other keys',
    );
    const again = await database.engine.createTable(declared('colour'));

    expect(again.streamArn).toBe(streamArn);
    // DynamoDB adds the items that are there already after the index has been created.
    await waitFor(async () => {
      const { Items } = await database.sdk.send(
        new QueryCommand({
          TableName: 'indexed',
          IndexName: 'colour',
          KeyConditionExpression: 'colour = :colour',
          ExpressionAttributeValues: { ':colour': 'o' },
        }),
      );
      expect(Items).toEqual([{ pk: 'a', colour: 'o' }]);
    });
  });

  it('reads a stream from its beginning and from any later position', async () => {
    const streamArn = await streamOf('streamed');
    for (let n = 1; n <= 12; n++) {
      await database.sdk.send(new PutCommand({ TableName: 'streamed', Item: { pk: `k${n}` } }));
    }

    const first = await database.engine.readStream({ streamArn, limit: 5 });
    const after = first.at(-1)?.dynamodb.SequenceNumber ?? '';
    const rest = await database.engine.readStream({ streamArn, after, limit: 100 });

    expect([...first, ...rest].map(({ dynamodb }) => dynamodb.Keys)).toEqual(
      Array.from({ length: 12 }, (_, n) => ({ pk: { S: `k${n + 1}` } })),
    );
    expect(rest[0]).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: streamArn,
    });
    expect(streamArn).toMatch(/^arn:aws:dynamodb:us-east-1:000000000000:table\/streamed\/stream\//);
  });

  it('reads no records after the latest position until new records arrive', async () => {
    const streamArn = await streamOf('followed');
    await database.sdk.send(new PutCommand({ TableName: 'followed', Item: { pk: 'old' } }));
    const after = (await database.engine.latestSequenceNumber(streamArn)) ?? '';

    const before = await database.engine.readStream({ streamArn, after, limit: 10 });
    await database.sdk.send(new PutCommand({ TableName: 'followed', Item: { pk: 'new' } }));
    const then = await database.engine.readStream({ streamArn, after, limit: 10 });

    expect(before).toEqual([]);
    expect(then.map(({ dynamodb }) => dynamodb.NewImage)).toEqual([{ pk: { S: 'new' } }]);
  });

  it('uses an existing server and leaves it running', async () => {
    const engine = await createDynamoDbEngine({ ...elsewhere, endpoint: database.endpoint });

    const { tableArn, streamArn = '' } = await engine.createTable(withStream('elsewhere'));
    await database.sdk.send(new PutCommand({ TableName: 'elsewhere', Item: { pk: 'a' } }));
    const records = await engine.readStream({ streamArn, limit: 10 });
    await engine.stop();

    expect(tableArn).toBe('arn:aws:dynamodb:us-east-1:000000000000:table/elsewhere');
    expect(records).toHaveLength(1);
    await database.sdk.send(new GetCommand({ TableName: 'elsewhere', Key: { pk: 'a' } }));
  });

  it.skipIf(process.env.DYNAMODB_LOCAL)('runs on a port that browsers block', async () => {
    // Node's `fetch` blocks the ports that browsers block.
    await expect(fetch(database.endpoint)).rejects.toMatchObject({ cause: { message: 'bad port' } });
  });

  it('reports that no server responds at a configured address', async () => {
    const engine = createDynamoDbEngine({ ...elsewhere, endpoint: 'http://127.0.0.1:1' });

    await expect(engine).rejects.toThrow('no DynamoDB responds at http://127.0.0.1:1 (DYNAMODB_ENDPOINT)');
  });
});
