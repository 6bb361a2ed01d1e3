import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseGate } from '../../engines/dynamodb/faults/types.ts';
import { noDatabaseFaults } from '../../engines/dynamodb/faults/types.ts';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';
import { waitFor } from '../../testing/wait.ts';

const TableName = 'things';
let endpoint: TestEndpoint;
let gate: DatabaseGate;
let client: DynamoDBClient;
let names = 0;
/** The key of an item that no other test uses. */
let pk: string;

const key = (name = pk) => ({ pk: { S: name } });
const thing = (group: string, name = pk) => ({ ...key(name), group: { S: group }, text: { S: 'x' } });
const put = (group: string, name = pk) => new PutItemCommand({ TableName, Item: thing(group, name) });
const inGroup = (group: string) =>
  new QueryCommand({
    TableName,
    IndexName: 'by-group',
    KeyConditionExpression: '#group = :group',
    ExpressionAttributeNames: { '#group': 'group' },
    ExpressionAttributeValues: { ':group': { S: group } },
  });

beforeAll(async () => {
  endpoint = await startAwsEndpoint({ withDynamoDb: true });
  gate = endpoint.databaseGate();
  client = new DynamoDBClient(endpoint.client);
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'group', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-group',
          KeySchema: [{ AttributeName: 'group', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
});
afterAll(() => endpoint.stop());
beforeEach(() => {
  gate.setFaults(noDatabaseFaults);
  names += 1;
  pk = `item-${names}`;
});

it('the embedded database rejects an empty index key, which the embedded server alone would accept', async () => {
  await expect(client.send(inGroup(''))).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('cannot contain an empty string value'),
  });
});

describe('a table that a fault makes unavailable', () => {
  it.each([
    ['a read', () => new GetItemCommand({ TableName, Key: key() })],
    ['a write', () => put('a')],
    ['a query', () => inGroup('a')],
    [
      'a batch',
      () =>
        new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: thing('a') } }] } }),
    ],
    [
      'a transaction',
      () => new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: thing('a') } }] }),
    ],
  ])(
    'answers %s with an InternalServerError and does nothing, while other tables work',
    async (_, command) => {
      gate.setFaults({ tablesOutOfReach: [TableName] });
      await expect(client.send(command() as GetItemCommand)).rejects.toMatchObject({
        name: 'InternalServerError',
        $metadata: { httpStatusCode: 500 },
      });

      gate.setFaults({ tablesOutOfReach: ['another'] });
      expect((await client.send(new GetItemCommand({ TableName, Key: key() }))).Item).toBeUndefined();
    },
  );
});

describe('a database with the throttling fault', () => {
  beforeEach(() => gate.setFaults({ throttleShare: 1 }));

  it.each([
    ['a read', () => new GetItemCommand({ TableName, Key: key() })],
    ['a write', () => put('a')],
    ['a query', () => inGroup('a')],
    [
      'a batch',
      () =>
        new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: thing('a') } }] } }),
    ],
  ])('rejects %s with ProvisionedThroughputExceededException and does nothing', async (_what, command) => {
    await expect(client.send(command() as GetItemCommand)).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      $metadata: { httpStatusCode: 400 },
    });

    gate.setFaults(noDatabaseFaults);
    expect((await client.send(new GetItemCommand({ TableName, Key: key() }))).Item).toBeUndefined();
  });

  it('cancels a transaction with the reason at one of its items, and writes nothing', async () => {
    const cancelled = client.send(
      new TransactWriteItemsCommand({
        TransactItems: ['one', 'two'].map((name) => ({
          Put: { TableName, Item: thing('a', `${pk}-${name}`) },
        })),
      }),
    );

    const error: unknown = await cancelled.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'TransactionCanceledException' });
    const { CancellationReasons } = error as { CancellationReasons: { Code: string }[] };
    const codes = CancellationReasons.map(({ Code }) => Code);
    expect(codes).toHaveLength(2);
    expect(codes.filter((code) => code === 'None')).toHaveLength(1);
    expect(codes).toContainEqual(expect.stringMatching(/^(ThrottlingError|ProvisionedThroughputExceeded)$/));
    gate.setFaults(noDatabaseFaults);
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: key(`${pk}-one`) }));
    expect(Item).toBeUndefined();
  });

  it('counts each retry of an SDK client', async () => {
    const patient = new DynamoDBClient({ ...endpoint.client, maxAttempts: 3 });
    const before = gate.counts().operator?.GetItem?.throttled ?? 0;

    await expect(patient.send(new GetItemCommand({ TableName, Key: key() }))).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
    });

    expect(gate.counts().operator?.GetItem?.throttled).toBe(before + 3);
  });
});

describe('a database that throttles part of a batch', () => {
  beforeEach(() => gate.setFaults({ throttleShare: 0.5 }));
  const keys = () => Array.from({ length: 25 }, (_, index) => `${pk}-${index}`);

  it('returns the unprocessed entries of a batch, so that retries complete the batch', async () => {
    let left = keys().map((name) => ({ PutRequest: { Item: thing('a', name) } }));
    let wasPartial = false;
    while (left.length > 0) {
      const { UnprocessedItems } = await client
        .send(new BatchWriteItemCommand({ RequestItems: { [TableName]: left } }))
        .catch(() => ({ UnprocessedItems: { [TableName]: left } }));
      const unprocessed = (UnprocessedItems?.[TableName] ?? []) as typeof left;
      wasPartial ||= unprocessed.length > 0 && unprocessed.length < left.length;
      left = unprocessed;
    }
    expect(wasPartial).toBe(true);

    const read = new Set<string | undefined>();
    let asked: Record<string, { S: string }>[] = keys().map((name) => key(name));
    while (asked.length > 0) {
      const { Responses, UnprocessedKeys } = await client
        .send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: asked } } }))
        .catch(() => ({ Responses: undefined, UnprocessedKeys: { [TableName]: { Keys: asked } } }));
      for (const item of Responses?.[TableName] ?? []) read.add(item.pk?.S);
      asked = (UnprocessedKeys?.[TableName]?.Keys ?? []) as typeof asked;
    }
    expect(read).toEqual(new Set(keys()));
  });
});

describe('a database with the conflict fault', () => {
  beforeEach(() => gate.setFaults({ conflictShare: 1 }));

  it('rejects a single write with TransactionConflictException and writes nothing', async () => {
    await expect(client.send(put('a'))).rejects.toMatchObject({ name: 'TransactionConflictException' });

    const { Item } = await client.send(new GetItemCommand({ TableName, Key: key() }));
    expect(Item).toBeUndefined();
  });

  it('cancels write transactions and read transactions', async () => {
    const reason = {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' }],
    };

    await expect(
      client.send(new TransactWriteItemsCommand({ TransactItems: [{ Delete: { TableName, Key: key() } }] })),
    ).rejects.toMatchObject(reason);
    await expect(
      client.send(new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName, Key: key() } }] })),
    ).rejects.toMatchObject(reason);
  });
});

describe('a database whose indexes lag behind', () => {
  it('hides new and changed items from indexes during the lag, while the table shows them', async () => {
    await client.send(put(pk));
    gate.setFaults({ indexLagMilliseconds: 600_000 });

    await client.send(put(pk, `${pk}-new`));
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: key(),
        UpdateExpression: 'SET #text = :text',
        ExpressionAttributeNames: { '#text': 'text' },
        ExpressionAttributeValues: { ':text': { S: 'changed' } },
      }),
    );

    const lagging = await client.send(inGroup(pk));
    expect(lagging.Items).toEqual([thing(pk)]);
    expect(lagging.Count).toBe(1);
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: key() }));
    expect(Item?.text).toEqual({ S: 'changed' });
    gate.setFaults({ indexLagMilliseconds: 0 });
    expect((await client.send(inGroup(pk))).Items).toHaveLength(2);
  });

  it('shows all items in its indexes after the lag', async () => {
    gate.setFaults({ indexLagMilliseconds: 40 });

    await client.send(put(pk));

    await waitFor(async () => expect((await client.send(inGroup(pk))).Items).toEqual([thing(pk)]));
  });
});

describe('a database with a throughput limit per partition', () => {
  /** An item that costs nearly 300 write units, or 36 units for an eventually consistent read. Both refill slowly. */
  const large = (name: string) => ({ ...thing(pk, name), text: { S: 'x'.repeat(290_000) } });
  const write = (name: string) => client.send(new PutItemCommand({ TableName, Item: large(name) }));
  const tooFast = { name: 'ProvisionedThroughputExceededException' };

  it('throttles only the key whose limit is exceeded', async () => {
    gate.setFaults({ partitionLimits: { readUnits: 1, writeUnits: 1 } });

    await write(pk);

    await expect(write(pk)).rejects.toMatchObject(tooFast);
    await expect(client.send(put(`${pk}-group`, `${pk}-other`))).resolves.toBeDefined();
  });

  it('counts a query by the size of its result', async () => {
    await write(pk);
    gate.setFaults({ partitionLimits: { readUnits: 1, writeUnits: 1 } });

    await client.send(inGroup(pk));

    await expect(client.send(inGroup(pk))).rejects.toMatchObject(tooFast);
  });
});

describe('a database with a partition limit for one table', () => {
  it('does not throttle other tables', async () => {
    gate.setFaults({ partitionLimits: { readUnits: 1, writeUnits: 1, tables: ['another'] } });
    const large = { ...thing('a'), text: { S: 'x'.repeat(290_000) } };

    for (let write = 0; write < 2; write += 1) {
      await client.send(new PutItemCommand({ TableName, Item: large }));
    }

    gate.setFaults({ partitionLimits: { readUnits: 1, writeUnits: 1, tables: [TableName] } });
    await client.send(new PutItemCommand({ TableName, Item: large }));
    await expect(client.send(put('a'))).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
    });
  });
});

describe('a database that counts write units', () => {
  const written = (place: string, name: string): number =>
    gate.partitionWrites()[place]?.[JSON.stringify({ S: name })] ?? 0;

  it('reports the units written to each partition of a table and of an index, as DynamoDB counts them', async () => {
    gate.setFaults({ countsUnits: true });
    // The item has more than a kilobyte as DynamoDB's JSON, but less than a kilobyte as DynamoDB counts it.
    const text = { S: 'x'.repeat(970) };

    await client.send(new PutItemCommand({ TableName, Item: { ...thing(`${pk}-group`), text } }));
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: ['one', 'two'].map((name) => ({
          Put: { TableName, Item: thing(`${pk}-group`, `${pk}-${name}`) },
        })),
      }),
    );
    await client.send(new GetItemCommand({ TableName, Key: key() }));

    expect(written(TableName, pk)).toBe(1);
    expect(written(TableName, `${pk}-one`)).toBe(2);
    expect(written(`${TableName}/by-group`, `${pk}-group`)).toBe(3);
  });
});

describe('the observed calls to the database', () => {
  it('include the name of the calling function and its input', async () => {
    const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
    const seen: unknown[] = [];
    const stop = gate.observe((call) => seen.push(call));

    await new DynamoDBClient(endpoint.clientOf(policy)).send(put('a'));
    stop();
    await client.send(put('a'));

    expect(seen).toEqual([
      { operation: 'PutItem', caller: 'test', input: { TableName, Item: thing('a') }, outcome: 'answered' },
    ]);
  });

  it('take as long as the configured delay', async () => {
    gate.setFaults({ delayMilliseconds: 200 });
    const began = performance.now();

    await client.send(put('a'));

    expect(performance.now() - began).toBeGreaterThanOrEqual(195);
  });
});
