import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import https from 'node:https';
import {
  APIGatewayClient,
  CreateApiKeyCommand,
  DeleteApiKeyCommand,
  GetApiKeyCommand,
  GetApiKeysCommand,
  GetUsagePlansCommand,
} from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  BatchGetItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  GetEventSourceMappingCommand,
  InvokeCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type MessageAttributeValue,
  type QueueAttributeName,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { InvocationResult } from '../../engines/lambda/types.ts';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';
import { waitFor } from '../../testing/wait.ts';

const tableArn = (name: string) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
const allow = (Action: string | string[], Resource: string | string[], Condition?: unknown) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action, Resource, ...(Condition ? { Condition } : {}) }],
});

let endpoint: TestEndpoint;

/** Answers the invocation of a function. */
let answerInvocation = (_event: unknown): InvocationResult => ({
  ok: true,
  payload: null,
  requestId: 'request',
});

beforeAll(async () => {
  endpoint = await startAwsEndpoint({
    withDynamoDb: true,
    invoke: async (_, event) => answerInvocation(event),
    stacks: [
      {
        name: 'app-local',
        arn: 'arn:aws:cloudformation:us-east-1:000000000000:stack/app-local/1',
        creationTime: new Date('2026-11-20T00:00:00Z'),
        terminationProtection: false,
        parameters: {},
        outputs: [{ key: 'BaseUrl', value: 'http://127.0.0.1:3000/base?a=1&b=<2>' }],
        resources: Array.from({ length: 101 }, (_, index) => ({
          logicalId: `Secret${index}`,
          physicalId: `arn-${index}`,
          type: 'AWS::SecretsManager::Secret',
          attributes: {},
        })),
      },
    ],
  });
  endpoint.secrets.create({ name: 'chain', initialValue: () => '{}' });
  const dynamodb = new DynamoDBClient(endpoint.client);
  for (const TableName of ['contracts', 'transactions']) {
    await dynamodb.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'other', AttributeType: 'S' },
        ],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'by-other',
            KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      }),
    );
  }
});
afterAll(() => endpoint.stop());

describe('the Lambda API', () => {
  it('rejects an invocation beyond the concurrency with 429 and the reason', async () => {
    const refusal = 'ReservedFunctionConcurrentInvocationLimitExceeded';
    answerInvocation = () => ({
      ok: false,
      requestId: 'request',
      errorType: 'TooManyRequestsException',
      errorMessage: 'Rate Exceeded.',
      refusal,
    });

    const invoked = new LambdaClient(endpoint.client).send(new InvokeCommand({ FunctionName: 'fn' }));

    await expect(invoked).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      Reason: refusal,
      $metadata: { httpStatusCode: 429 },
    });
  });
});

describe('an event source mapping', () => {
  const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:fn';
  const notFound = { name: 'ResourceNotFoundException', $metadata: { httpStatusCode: 404 } };

  /** Creates a mapping of a new queue that is switched off, and returns its id and its queue's URL. */
  const aMapping = async () => {
    const UUID = randomUUID();
    const QueueName = `queue-${UUID}`;
    const { QueueUrl } = await new SQSClient(endpoint.client).send(new CreateQueueCommand({ QueueName }));
    const eventSourceArn = `arn:aws:sqs:us-east-1:000000000000:${QueueName}`;
    endpoint.eventSources.map({
      id: UUID,
      kind: 'queue',
      eventSourceArn,
      functionName: 'fn',
      enabled: false,
      batchSize: 10,
      batchingWindowSeconds: 0,
      filters: [],
      reportBatchItemFailures: false,
      bisectBatchOnFunctionError: false,
      maximumRetryAttempts: -1,
      maximumRecordAgeSeconds: -1,
    });
    const told = { UUID, BatchSize: 10, EventSourceArn: eventSourceArn, FunctionArn: functionArn };
    return { UUID, QueueUrl, told };
  };

  it('is described, enabled and disabled, and reads its queue only while it is enabled', async () => {
    const { UUID, QueueUrl, told } = await aMapping();
    const lambda = new LambdaClient(endpoint.client);
    const read: string[] = [];
    const before = answerInvocation;
    onTestFinished(() => {
      answerInvocation = before;
    });
    answerInvocation = (event) => {
      const { Records } = event as { Records: { body: string }[] };
      read.push(...Records.map(({ body }) => body));
      return { ok: true, payload: null, requestId: 'request' };
    };
    await new SQSClient(endpoint.client).send(new SendMessageCommand({ QueueUrl, MessageBody: 'waiting' }));

    const off = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
    const readWhileOff = [...read];
    const on = await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: true }));
    await waitFor(() => expect(read).toEqual(['waiting']));
    const offAgain = await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));

    expect(off).toMatchObject({ ...told, State: 'Disabled' });
    expect(readWhileOff).toEqual([]);
    expect(on).toMatchObject({ ...told, State: 'Enabled', $metadata: { httpStatusCode: 202 } });
    expect(offAgain).toMatchObject({ ...told, State: 'Disabled' });
  });

  it('is described and changed only by callers whose policy allows it', async () => {
    const { UUID } = await aMapping();
    const arn = `arn:aws:lambda:us-east-1:000000000000:event-source-mapping:${UUID}`;
    const reader = new LambdaClient(endpoint.clientOf(allow('lambda:GetEventSourceMapping', arn)));

    await expect(reader.send(new GetEventSourceMappingCommand({ UUID }))).resolves.toMatchObject({ UUID });
    await expect(
      reader.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: true })),
    ).rejects.toMatchObject({ name: 'AccessDeniedException', $metadata: { httpStatusCode: 403 } });
    expect(endpoint.eventSources.find(UUID).enabled).toBe(false);
  });

  it('is not found under another id', async () => {
    const lambda = new LambdaClient(endpoint.client);
    const UUID = randomUUID();

    await expect(lambda.send(new GetEventSourceMappingCommand({ UUID }))).rejects.toMatchObject(notFound);
    await expect(
      lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: true })),
    ).rejects.toMatchObject(notFound);
  });

  it('rejects changes of anything but whether it is enabled, and stays as it was', async () => {
    const { UUID } = await aMapping();
    const lambda = new LambdaClient(endpoint.client);
    const change = (changes: object) =>
      lambda.send(new UpdateEventSourceMappingCommand({ UUID, ...changes }));

    await expect(change({ Enabled: true, BatchSize: 5 })).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
      message: expect.stringContaining('BatchSize'),
      $metadata: { httpStatusCode: 400 },
    });
    await expect(change({})).resolves.toMatchObject({ State: 'Disabled' });
  });
});

describe('the Secrets Manager API', () => {
  it('returns the stored value to callers whose policy allows it', async () => {
    const { arn } = endpoint.secrets.get('chain');
    const operator = new SecretsManagerClient(endpoint.client);
    const reader = new SecretsManagerClient(
      endpoint.clientOf(allow('secretsmanager:GetSecretValue', `${arn.slice(0, -6)}??????`)),
    );

    await operator.send(new PutSecretValueCommand({ SecretId: arn, SecretString: '{"urls":["x"]}' }));

    await expect(reader.send(new GetSecretValueCommand({ SecretId: arn }))).resolves.toMatchObject({
      ARN: arn,
      SecretString: '{"urls":["x"]}',
    });
    await expect(
      reader.send(new PutSecretValueCommand({ SecretId: arn, SecretString: 'mine' })),
    ).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});

describe('the DynamoDB API', () => {
  const item = (pk: string) => ({ pk: { S: pk } });

  it('uses the configured region and account in the ARNs of requests and responses', async () => {
    const { Table } = await new DynamoDBClient(endpoint.client).send(
      new DescribeTableCommand({ TableName: 'contracts' }),
    );

    expect(Table?.TableArn).toBe(tableArn('contracts'));
    expect(Table?.LatestStreamArn).toContain(`${tableArn('contracts')}/stream/`);
  });

  it('returns what was written, in any script', async () => {
    const dynamodb = new DynamoDBClient(endpoint.client);
    const Item = { ...item('zażółć'), text: { S: 'gęślą jaźń 🎟️' } };

    await dynamodb.send(new PutItemCommand({ TableName: 'contracts', Item }));

    const read = await dynamodb.send(new GetItemCommand({ TableName: 'contracts', Key: item('zażółć') }));
    expect(read.Item).toEqual(Item);
  });

  it('executes a transaction once for each request token, if it is the same transaction', async () => {
    const dynamodb = new DynamoDBClient(endpoint.client);
    const count = (by: string) =>
      dynamodb.send(
        new TransactWriteItemsCommand({
          ClientRequestToken: 'a-token-of-its-own',
          TransactItems: [
            {
              Update: {
                TableName: 'contracts',
                Key: item('counted'),
                UpdateExpression: 'ADD made :by',
                ExpressionAttributeValues: { ':by': { N: by } },
              },
            },
          ],
        }),
      );

    await count('1');
    await count('1');
    await expect(count('2')).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });

    const { Item } = await dynamodb.send(
      new GetItemCommand({ TableName: 'contracts', Key: item('counted') }),
    );
    expect(Item?.made).toEqual({ N: '1' });
  });

  it('denies what the caller’s role does not allow, by action, table and index', async () => {
    const dynamodb = new DynamoDBClient(
      endpoint.clientOf(allow(['dynamodb:GetItem', 'dynamodb:Query'], tableArn('contracts'))),
    );
    const denied = { name: 'AccessDeniedException' };
    const query = {
      TableName: 'contracts',
      ExpressionAttributeValues: { ':v': { S: 'x' } },
    };

    await dynamodb.send(new GetItemCommand({ TableName: 'contracts', Key: item('a') }));
    await dynamodb.send(new QueryCommand({ ...query, KeyConditionExpression: 'pk = :v' }));
    await expect(
      dynamodb.send(new GetItemCommand({ TableName: 'transactions', Key: item('a') })),
    ).rejects.toMatchObject(denied);
    await expect(
      dynamodb.send(new PutItemCommand({ TableName: 'contracts', Item: item('a') })),
    ).rejects.toMatchObject(denied);
    await expect(
      dynamodb.send(
        new QueryCommand({ ...query, IndexName: 'by-other', KeyConditionExpression: 'other = :v' }),
      ),
    ).rejects.toMatchObject(denied);
    await expect(
      dynamodb.send(new BatchGetItemCommand({ RequestItems: { contracts: { Keys: [item('a')] } } })),
    ).rejects.toMatchObject(denied);
  });

  it('requires permission for every item of a transaction', async () => {
    const write = (client: DynamoDBClient) =>
      client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            { Put: { TableName: 'contracts', Item: item('t') } },
            {
              ConditionCheck: {
                TableName: 'transactions',
                Key: item('t'),
                ConditionExpression: 'attribute_not_exists(pk)',
              },
            },
          ],
        }),
      );
    const one = endpoint.clientOf(allow('dynamodb:PutItem', tableArn('contracts')));
    const both = endpoint.clientOf(
      allow(
        ['dynamodb:PutItem', 'dynamodb:ConditionCheckItem'],
        [tableArn('contracts'), tableArn('transactions')],
      ),
    );

    await expect(write(new DynamoDBClient(one))).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(write(new DynamoDBClient(both))).resolves.toBeDefined();
  });

  it.each([
    ['TransactWriteItems', { TransactItems: [{ Put: { Item: item('a') } }] }],
    ['TransactWriteItems', { TransactItems: [{ Replace: { TableName: 'contracts' } }] }],
    ['BatchWriteItem', { RequestItems: null }],
    ['GetItem', { Key: item('a') }],
    ['GetItem', null],
  ])('rejects %s with the input %j, which names no table', async (operation, input) => {
    const answer = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
      body: JSON.stringify(input),
    });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ __type: 'ValidationException' });
  });

  it('returns the item that failed a condition even to a role without read permission', async () => {
    const all = new DynamoDBClient(endpoint.client);
    await all.send(
      new PutItemCommand({ TableName: 'contracts', Item: { ...item('kept'), word: { S: 'secret' } } }),
    );
    const statement = {
      Effect: 'Allow',
      Action: [
        'dynamodb:ConditionCheckItem',
        'dynamodb:DeleteItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
      ],
      Resource: tableArn('contracts'),
      Condition: { StringEquals: { 'dynamodb:ReturnValues': 'NONE' } },
    };
    const check = { ...statement, Action: 'dynamodb:ConditionCheckItem', Condition: {} };
    const writer = new DynamoDBClient(
      endpoint.clientOf({ Version: '2012-10-17', Statement: [statement, check] }),
    );
    const failing = {
      TableName: 'contracts',
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const;
    const Key = item('kept');
    const cancelled = (write: TransactWriteItem) =>
      writer.send(new TransactWriteItemsCommand({ TransactItems: [write] }));

    for (const write of [
      () => writer.send(new PutItemCommand({ ...failing, Item: Key })),
      () => writer.send(new DeleteItemCommand({ ...failing, Key })),
      () => writer.send(new UpdateItemCommand({ ...failing, Key })),
    ]) {
      await expect(write()).rejects.toMatchObject({
        name: 'ConditionalCheckFailedException',
        Item: { word: { S: 'secret' } },
      });
    }
    for (const write of [
      { ConditionCheck: { ...failing, Key } },
      { Put: { ...failing, Item: Key } },
      { Delete: { ...failing, Key } },
    ]) {
      await expect(cancelled(write)).rejects.toMatchObject({
        CancellationReasons: [{ Item: { word: { S: 'secret' } } }],
      });
    }
  });

  it('returns the reasons of a cancelled transaction', async () => {
    const dynamodb = new DynamoDBClient(endpoint.client);
    const put = {
      Put: {
        TableName: 'contracts',
        Item: item('once'),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    };
    await dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [put] }));

    await expect(
      dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [put] })),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    });
  });
});

describe('the SQS and SNS APIs', () => {
  it('deny what the caller’s role does not allow', async () => {
    await new SQSClient(endpoint.client).send(new CreateQueueCommand({ QueueName: 'mine' }));
    const { arn } = await endpoint.messaging.createTopic({ name: 'news', attributes: {} });
    const settings = endpoint.clientOf(allow('sqs:SendMessage', 'arn:aws:sqs:us-east-1:000000000000:mine'));
    const send = (name: string) =>
      new SQSClient(settings).send(
        new SendMessageCommand({
          QueueUrl: `${endpoint.url}/000000000000/${name}`,
          MessageBody: 'x',
        }),
      );

    await expect(send('mine')).resolves.toMatchObject({ MessageId: expect.any(String) });
    await expect(send('yours')).rejects.toMatchObject({ name: expect.stringMatching('AccessDenied') });
    await expect(
      new SNSClient(settings).send(new PublishCommand({ TopicArn: arn, Message: 'x' })),
    ).rejects.toMatchObject({ name: expect.stringMatching('AuthorizationError') });
  });

  it('answer with an empty body if SQS does', async () => {
    const queue = await new SQSClient(endpoint.client).send(new CreateQueueCommand({ QueueName: 'emptied' }));

    const answer = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.PurgeQueue' },
      body: JSON.stringify({ QueueUrl: queue.QueueUrl }),
    });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe('0');
  });

  it.each([
    { asked: undefined, names: [] },
    { asked: [], names: [] },
    { asked: ['All'], names: ['order.id', 'order.image', 'ordered'] },
    { asked: ['.*'], names: ['order.id', 'order.image', 'ordered'] },
    { asked: ['ordered', 'unknown'], names: ['ordered'] },
    { asked: ['order.*'], names: ['order.id', 'order.image'] },
    { asked: ['Ordered'], names: [] },
  ])('return the message attributes that a call names: $asked', async ({ asked, names }) => {
    const sqs = new SQSClient(endpoint.client);
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: `asked-${randomUUID()}` }));
    const all = {
      ordered: { DataType: 'Number', StringValue: '3' },
      'order.image': { DataType: 'Binary.png', BinaryValue: new Uint8Array([1, 2, 255]) },
      'order.id': { DataType: 'String', StringValue: 'ü-1' },
    } satisfies Record<string, MessageAttributeValue>;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageAttributes: all }));
    const expected = Object.entries(all).filter(([name]) => (names as readonly string[]).includes(name));
    // The engine's own digest of exactly these attributes.
    const { MD5OfMessageAttributes: digest } = await sqs.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: 'y',
        DelaySeconds: 60,
        MessageAttributes: Object.fromEntries(expected),
      }),
    );

    const { Messages: [received] = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: asked }),
    );

    expect(received).toMatchObject({ Body: 'x', MD5OfBody: expect.any(String) });
    expect(received?.MessageAttributes).toEqual(
      names.length === 0 ? undefined : Object.fromEntries(expected),
    );
    expect(received?.MD5OfMessageAttributes).toBe(names.length === 0 ? undefined : digest);
  });

  it.each([undefined, []])('return no attribute of a queue to a call that names none: %s', async (names) => {
    const sqs = new SQSClient(endpoint.client);
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: `asked-${randomUUID()}` }));
    const ask = (AttributeNames?: QueueAttributeName[]) =>
      sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));

    expect((await ask(names)).Attributes).toBeUndefined();
    expect((await ask(['VisibilityTimeout'])).Attributes).toEqual({ VisibilityTimeout: '30' });
    await expect(
      sqs.send(new GetQueueAttributesCommand({ QueueUrl: `${QueueUrl}-none`, AttributeNames: names })),
    ).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });

  it('answer QueueDoesNotExist for a queue that does not exist', async () => {
    await expect(
      new SQSClient(endpoint.client).send(new GetQueueUrlCommand({ QueueName: 'none' })),
    ).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });
});

describe('the API Gateway API', () => {
  it('creates, returns and deletes API keys', async () => {
    const gateway = new APIGatewayClient(endpoint.client);

    const { id, value } = await gateway.send(new CreateApiKeyCommand({ name: 'acme', enabled: true }));

    const { items } = await gateway.send(new GetApiKeysCommand({ includeValues: true, nameQuery: 'acme' }));
    expect(items).toMatchObject([{ id, value, name: 'acme', enabled: true }]);
    const withoutValue = await gateway.send(new GetApiKeyCommand({ apiKey: id }));
    expect(withoutValue.value).toBeUndefined();
    await gateway.send(new DeleteApiKeyCommand({ apiKey: id }));
    await expect(gateway.send(new GetApiKeyCommand({ apiKey: id }))).rejects.toMatchObject({
      name: 'NotFoundException',
    });
    expect((await gateway.send(new GetUsagePlansCommand({}))).items).toEqual([]);
  });
});

describe('the CloudFormation API', () => {
  it('returns the outputs of the deployed stack', async () => {
    const cloudFormation = new CloudFormationClient(endpoint.client);

    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: 'app-local' }));

    expect(Stacks?.[0]?.Outputs).toEqual([
      { OutputKey: 'BaseUrl', OutputValue: 'http://127.0.0.1:3000/base?a=1&b=<2>' },
    ]);
    await expect(cloudFormation.send(new DescribeStacksCommand({ StackName: 'none' }))).rejects.toMatchObject(
      { message: 'Stack with id none does not exist' },
    );
  });

  it('returns the first hundred resources, and a later one only if it is named', async () => {
    const cloudFormation = new CloudFormationClient(endpoint.client);
    const described = async (LogicalResourceId?: string) => {
      const command = new DescribeStackResourcesCommand({ StackName: 'app-local', LogicalResourceId });
      const { StackResources = [] } = await cloudFormation.send(command);
      return StackResources.map((each) => each.LogicalResourceId);
    };

    expect(await described()).toHaveLength(100);
    expect(await described()).not.toContain('Secret100');
    expect(await described('Secret100')).toEqual(['Secret100']);
  });

  it('lists all resources, a hundred on each page', async () => {
    const client = new CloudFormationClient(endpoint.client);
    const pages = [];
    for await (const page of paginateListStackResources({ client }, { StackName: 'app-local' })) {
      pages.push((page.StackResourceSummaries ?? []).map((each) => each.LogicalResourceId));
    }

    expect(pages[0]).toHaveLength(100);
    expect(pages.flat()).toContain('Secret100');
    expect(new Set(pages.flat()).size).toBe(pages.flat().length);
  });
});

describe('the port of the AWS endpoint', () => {
  it('also serves TLS with a certificate of its own authority', async () => {
    const ca = await readFile(endpoint.certificateAuthorityFile, 'utf8');

    const status = await new Promise((resolve, reject) => {
      const path = endpoint.messaging.signingCertificate.path;
      https
        .get(`${endpoint.secureUrl}${path}`, { ca }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        })
        .once('error', reject);
    });

    expect(status).toBe(200);
  });

  it('answers 413 to a request larger than any call, and continues', async () => {
    const refused = await fetch(endpoint.url, { method: 'POST', body: Buffer.alloc(21 * 2 ** 20) });
    expect(refused.status).toBe(413);

    expect((await fetch(`${endpoint.url}/unknown`)).status).toBe(404);
  });

  const called = (target: string) =>
    fetch(endpoint.url, { method: 'POST', headers: { 'x-amz-target': target }, body: '{}' });

  it.each([
    ['CloudWatch', 'GraniteServiceVersion20100801'],
    ['KMS', 'TrentService'],
    ['Secrets Manager', 'secretsmanager'],
    ['Step Functions', 'AWSStepFunctions'],
  ])('supports exactly the calls of %s that the README lists', async (service, prefix) => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const row = readme.split('\n').find((line) => line.search(`^\\| ${service} \\| \`[A-Z]`) === 0) ?? '';
    const calls = [...row.matchAll(/`(\w+)`/g)].map(([, call]) => call);

    expect(calls.length).toBeGreaterThan(2);
    for (const call of calls) {
      const body = await (await called(`${prefix}.${call}`)).text();
      expect(body, call).not.toContain('UnknownOperationException');
    }
    expect(await (await called(`${prefix}.Other`)).text()).toContain('UnknownOperationException');
  });

  it('answers UnknownOperationException to an unknown call', async () => {
    const answer = await called('Kinesis_20131202.ListStreams');

    expect(answer.status).toBe(404);
    await expect(answer.json()).resolves.toMatchObject({ __type: 'UnknownOperationException' });
  });
});
