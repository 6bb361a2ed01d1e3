import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { machineClock } from '../../clock.ts';
import { createEventSources } from '../../engines/event-sources/engine.ts';
import type { EventSourceMapping, EventSources } from '../../engines/event-sources/types.ts';
import { createIdentities } from '../../engines/iam/engine.ts';
import type { Identities } from '../../engines/iam/types.ts';
import { noLambdaFaults } from '../../engines/lambda/faults.ts';
import type { InvocationResult, LambdaEngine } from '../../engines/lambda/types.ts';
import { createMessaging } from '../../engines/messaging/engine.ts';
import type { Messaging } from '../../engines/messaging/types.ts';
import { temporaryDirectory } from '../../testing/bundles.ts';
import { startTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { waitFor } from '../../testing/wait.ts';

const roleArn = 'arn:aws:iam::000000000000:role/poller';
const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:fn';

let database: TestDatabase;
let messaging: Messaging;
let identities: Identities;
let stateDirectory: string;
let sources: EventSources;
let streamArn: string;
let table: string;
let tables = 0;
const terminal: string[] = [];

beforeAll(async () => {
  database = await startTestDatabase();
  messaging = await createMessaging({
    stateDirectory: await temporaryDirectory(),
    endpointUrl: 'http://127.0.0.1:4566',
    secureEndpointUrl: 'https://127.0.0.1:4566',
    authorities: [],
    onError: (error) => {
      throw error;
    },
  });
});

afterAll(async () => {
  await messaging.stop();
  await database.stop();
});

beforeEach(async () => {
  terminal.length = 0;
  tables += 1;
  table = `source-${tables}`;
  const created = await database.engine.createTable({
    TableName: table,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  streamArn = created.streamArn ?? '';
  stateDirectory = await temporaryDirectory();
  identities = createIdentities();
  identities.registerRole({ arn: roleArn, name: 'poller', trusts: ['lambda.amazonaws.com'] });
  identities.attachPolicy('poller', {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['dynamodb:*', 'sqs:*'], Resource: '*' }],
  });
});

afterEach(() => sources.stop());

type Handler = (event: never) => unknown;

/** A Lambda engine with one function, which is this handler. */
const lambdaOf = (handler: Handler): LambdaEngine => ({
  register: () => {},
  configureAsynchronous: () => {},
  enqueue: async () => true,
  permit: () => {},
  forbid: () => {},
  mayInvoke: () => true,
  reserve: () => {},
  reserved: () => undefined,
  faults: noLambdaFaults,
  setFaults: () => {},
  has: () => true,
  logFileOf: () => 'fn.log',
  describe: () => ({
    name: 'fn',
    arn: functionArn,
    codeDirectory: '',
    handler: 'index.handler',
    environment: {},
    timeoutSeconds: 3,
    memoryMegabytes: 128,
    roleArn,
  }),
  invoke: async (_target, event): Promise<InvocationResult> => {
    try {
      return { ok: true, requestId: 'request', payload: await handler(event as never) };
    } catch (error) {
      return { ok: false, requestId: 'request', errorType: 'Error', errorMessage: String(error) };
    }
  },
  stop: async () => {},
});

const begin = (mapping: Partial<EventSourceMapping>, handler: Handler): void => {
  sources = createEventSources({
    dynamodb: database.engine,
    messaging,
    identities,
    lambda: lambdaOf(handler),
    stateDirectory,
    clock: machineClock,
    report: (line) => terminal.push(line),
  });
  sources.map({
    id: 'mapping',
    kind: 'stream',
    eventSourceArn: streamArn,
    functionName: functionArn,
    enabled: true,
    batchSize: 100,
    batchingWindowSeconds: 0,
    startingPosition: 'TRIM_HORIZON',
    filters: [],
    reportBatchItemFailures: false,
    bisectBatchOnFunctionError: false,
    maximumRetryAttempts: -1,
    maximumRecordAgeSeconds: -1,
    ...mapping,
  });
  sources.start();
};

const put = async (...keys: string[]): Promise<void> => {
  for (const pk of keys) {
    await database.client.send(new PutItemCommand({ TableName: table, Item: { pk: { S: pk } } }));
  }
};

const keysOf = ({ Records }: DynamoDBStreamEvent): (string | undefined)[] =>
  Records.map((record) => record.dynamodb?.Keys?.pk?.S);

describe('a stream mapping', () => {
  it('delivers all records in order, in batches of the configured size', async () => {
    await put('a', 'b', 'c');
    const batches: unknown[] = [];

    begin({ batchSize: 2 }, (event: DynamoDBStreamEvent) => void batches.push(keysOf(event)));

    await waitFor(() => expect(batches).toEqual([['a', 'b'], ['c']]));
  });

  it('continues after a restart where it stopped, and delivers unfinished batches again', async () => {
    await put('a');
    const first: unknown[] = [];
    begin({ batchSize: 1 }, async (event: DynamoDBStreamEvent) => {
      first.push(...keysOf(event));
      if (keysOf(event)[0] === 'b') await new Promise(() => {});
    });
    await waitFor(() => expect(first).toEqual(['a']));
    await put('b');
    await waitFor(() => expect(first).toEqual(['a', 'b']));
    await sources.stop();

    const second: unknown[] = [];
    begin({ batchSize: 1 }, (event: DynamoDBStreamEvent) => void second.push(...keysOf(event)));
    await put('c');

    await waitFor(() => expect(second).toEqual(['b', 'c']));
  });

  it('delivers only later records if it starts at LATEST', async () => {
    await put('before');
    const seen: unknown[] = [];
    begin({ startingPosition: 'LATEST' }, (event: DynamoDBStreamEvent) => void seen.push(...keysOf(event)));
    const checkpoint = join(stateDirectory, 'event-sources', 'mapping.json');
    await waitFor(async () => expect(await readFile(checkpoint, 'utf8')).toContain('after'));

    await put('later');

    await waitFor(() => expect(seen).toEqual(['later']));
  });

  it('delivers only records that match a filter', async () => {
    await put('a', 'b');
    const seen: unknown[] = [];

    begin(
      { filters: [{ eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'b' }] } } } }] },
      (event: DynamoDBStreamEvent) => void seen.push(...keysOf(event)),
    );

    await waitFor(() => expect(seen).toEqual(['b']));
  });

  it('repeats from the first record that the function reports as failed', async () => {
    await put('a', 'b', 'c');
    const batches: unknown[] = [];

    begin({ reportBatchItemFailures: true }, (event: DynamoDBStreamEvent) => {
      batches.push(keysOf(event));
      const itemIdentifier = event.Records[1]?.dynamodb?.SequenceNumber;
      return { batchItemFailures: batches.length === 1 ? [{ itemIdentifier }] : [] };
    });

    await waitFor(() =>
      expect(batches).toEqual([
        ['a', 'b', 'c'],
        ['b', 'c'],
      ]),
    );
  });

  it('treats an invalid failure report as a failure of the whole batch', async () => {
    await put('a', 'b');
    const batches: unknown[] = [];

    begin({ reportBatchItemFailures: true }, (event: DynamoDBStreamEvent) => {
      batches.push(keysOf(event));
      return { batchItemFailures: batches.length === 1 ? [{ itemIdentifier: 'nobody' }] : [] };
    });

    await waitFor(() =>
      expect(batches).toEqual([
        ['a', 'b'],
        ['a', 'b'],
      ]),
    );
  });

  it('splits a failing batch until the bad record is alone, and sends that record to the destination', async () => {
    await put('a', 'bad', 'c', 'd');
    const { arn: onFailureArn } = await messaging.createQueue({ name: 'failed-batches', attributes: {} });
    const handled: unknown[] = [];

    begin(
      { bisectBatchOnFunctionError: true, maximumRetryAttempts: 1, onFailureArn },
      (event: DynamoDBStreamEvent) => {
        if (keysOf(event).includes('bad')) throw new Error('bad record');
        handled.push(...keysOf(event));
      },
    );

    await waitFor(() => expect(handled).toEqual(['a', 'c', 'd']));
    const [message] = await messaging.receive({ queueArn: onFailureArn, maximum: 1, waitSeconds: 5 });
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      requestContext: {
        functionArn: `${functionArn}:$LATEST`,
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: 2,
      },
      responseContext: { statusCode: 200, functionError: 'Unhandled' },
      version: '1.0',
      DDBStreamBatchInfo: { batchSize: 1, streamArn },
    });
    expect(terminal).toEqual([expect.stringContaining('discarded 1 records')]);
  });

  it('discards records that are too old', async () => {
    await put('old');
    const { arn: onFailureArn } = await messaging.createQueue({ name: 'aged-batches', attributes: {} });
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);

    begin({ maximumRecordAgeSeconds: 60, onFailureArn }, () => {
      throw new Error('not to be called');
    });
    const [message] = await messaging.receive({ queueArn: onFailureArn, maximum: 1, waitSeconds: 5 });
    clock.mockRestore();

    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 },
    });
  });

  it('does not start when the role of the function cannot read the stream', () => {
    identities.attachPolicy('poller', {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Deny', Action: 'dynamodb:GetRecords', Resource: streamArn }],
    });

    expect(() => begin({}, () => {})).toThrow(
      `mapping: User: arn:aws:sts::000000000000:assumed-role/poller/fn is not authorized to perform: dynamodb:GetRecords on resource: ${streamArn}`,
    );
  });
});

describe('a queue mapping', () => {
  const queueOf = async (name: string): Promise<string> => {
    const { arn } = await messaging.createQueue({ name, attributes: { VisibilityTimeout: '1' } });
    return arn;
  };

  it('delivers messages and deletes those that did not fail', async () => {
    const eventSourceArn = await queueOf('partial');
    for (const body of ['good', 'bad']) await messaging.send({ queueArn: eventSourceArn, body });
    const seen: string[] = [];

    begin(
      { kind: 'queue', eventSourceArn, reportBatchItemFailures: true, batchSize: 10 },
      (event: SQSEvent) => {
        seen.push(...event.Records.map(({ body }) => body));
        const failed = event.Records.filter(
          ({ body, attributes }) => body === 'bad' && attributes.ApproximateReceiveCount === '1',
        );
        return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      },
    );

    await waitFor(() => expect([...seen].sort()).toEqual(['bad', 'bad', 'good']));
  });

  it('deletes messages that match no filter without invoking the function', async () => {
    const eventSourceArn = await queueOf('filtered');
    await messaging.send({ queueArn: eventSourceArn, body: '{"kind":"other"}' });
    await messaging.send({ queueArn: eventSourceArn, body: '{"kind":"wanted"}' });
    const seen: string[] = [];

    begin(
      { kind: 'queue', eventSourceArn, batchSize: 10, filters: [{ body: { kind: ['wanted'] } }] },
      (event: SQSEvent) => void seen.push(...event.Records.map(({ body }) => body)),
    );

    await waitFor(() => expect(seen).toEqual(['{"kind":"wanted"}']));
    await waitFor(async () =>
      expect(await messaging.queueAttributes(eventSourceArn)).toMatchObject({
        ApproximateNumberOfMessages: '0',
        ApproximateNumberOfMessagesNotVisible: '0',
      }),
    );
  });
});
