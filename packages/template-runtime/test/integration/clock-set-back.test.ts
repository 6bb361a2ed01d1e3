import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DynamoDBClient, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import {
  ConfirmSubscriptionCommand,
  CreateTopicCommand,
  PublishCommand,
  SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createDynamoDbEngine } from '../../engines/dynamodb/engine.ts';
import { waitFor } from '../../testing/wait.ts';
import { type MessagingChild, startMessaging } from '../support/messaging-child.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const hourMilliseconds = 3_600_000;
const deadline = { interval: 100 };
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

let stateDirectory: string;

beforeEach(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'clock-set-back-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(stateDirectory, { recursive: true, force: true });
});

describe("a database whose machine's clock is set back", () => {
  const startEngine = () =>
    createDynamoDbEngine({
      stateDirectory,
      region: 'us-east-1',
      onUnexpectedExit: (reason) => {
        throw new Error(reason);
      },
    });

  it('continues its streams without a gap, and still recognizes repeated requests', async () => {
    const engine = await startEngine();
    const client = new DynamoDBClient({ endpoint: engine.endpoint, region: 'us-east-1', credentials });
    const { streamArn = '' } = await engine.createTable({
      TableName: 'changes',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    });
    const put = (pk: string) =>
      client.send(new PutItemCommand({ TableName: 'changes', Item: { pk: { S: pk } } }));
    const countOnce = () =>
      client.send(
        new TransactWriteItemsCommand({
          ClientRequestToken: 'once',
          TransactItems: [
            {
              Update: {
                TableName: 'changes',
                Key: { pk: { S: 'counter' } },
                UpdateExpression: 'ADD made :one',
                ExpressionAttributeValues: { ':one': { N: '1' } },
              },
            },
          ],
        }),
      );
    await put('before');
    await countOnce();
    const [before, counted] = await engine.readStream({ streamArn, after: undefined, limit: 10 });

    // Sets the clock back, so that everything that was written so far lies in the future.
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now - hourMilliseconds);
    const file = new DatabaseSync(join(stateDirectory, 'dynamodb', 'tables.db'), { timeout: 5_000 });
    const { changes } = file.prepare('UPDATE _stream_records SET created_at = created_at + 3600').run();
    file.close();
    await countOnce();
    await put('after');

    const read = async ({ readStream }: Pick<typeof engine, 'readStream'>, after: string | undefined) =>
      (await readStream({ streamArn, after, limit: 10 })).map(({ dynamodb }) => dynamodb.Keys.pk);
    const last = counted?.dynamodb.SequenceNumber;
    expect(changes).toBe(2);
    expect(before?.dynamodb.Keys.pk).toEqual({ S: 'before' });
    expect(await read(engine, last)).toEqual([{ S: 'after' }]);
    await engine.stop();
    const restarted = await startEngine();
    expect(await read(restarted, last)).toEqual([{ S: 'after' }]);
    await restarted.stop();
  });
});

describe("queues and topics whose machine's clock is set back", () => {
  let messaging: MessagingChild;
  let receiver: Receiver;
  let sqs: SQSClient;
  let sns: SNSClient;
  const setBack = () => writeFile(join(stateDirectory, 'set-back'), '');

  beforeEach(async () => {
    receiver = await startReceiver();
    messaging = await startMessaging({
      stateDirectory,
      execArgv: ['--import', new URL('../support/settable-clock.ts', import.meta.url).href],
      env: { ...process.env, CLOCK_SET_BACK_BY: join(stateDirectory, 'set-back') },
    });
    sqs = new SQSClient(messaging.settings);
    sns = new SNSClient(messaging.settings);
  });
  afterEach(async () => {
    await messaging.kill();
    await receiver.stop();
  });

  it('return delayed and in-flight messages at the right time, and no deleted messages', async () => {
    const { QueueUrl } = await sqs.send(
      new CreateQueueCommand({ QueueName: 'work', Attributes: { VisibilityTimeout: '2' } }),
    );
    const send = (MessageBody: string, DelaySeconds?: number) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds }));
    const receive = async () =>
      (await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 1 }))).Messages ?? [];
    await send('done');
    const [done] = await receive();
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: done?.ReceiptHandle }));
    await send('in flight');
    expect((await receive()).map(({ Body }) => Body)).toEqual(['in flight']);
    await send('delayed', 2);

    await setBack();

    const bodies: (string | undefined)[] = [];
    await waitFor(async () => {
      for (const { Body, ReceiptHandle } of await receive()) {
        bodies.push(Body);
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
      expect(bodies.toSorted()).toEqual(['delayed', 'in flight']);
    }, deadline);
    expect(done?.Body).toBe('done');
  });

  it('deliver published messages, retry failed deliveries, and deliver nothing twice', async () => {
    const { TopicArn } = await sns.send(new CreateTopicCommand({ Name: 'changes' }));
    await sns.send(
      new SubscribeCommand({
        TopicArn,
        Protocol: 'http',
        Endpoint: receiver.url,
        Attributes: {
          RawMessageDelivery: 'true',
          DeliveryPolicy: JSON.stringify({
            healthyRetryPolicy: { numRetries: 3, minDelayTarget: 2, maxDelayTarget: 2 },
          }),
        },
      }),
    );
    const [confirmation] = await waitFor(() => {
      expect(receiver.of('SubscriptionConfirmation')).toHaveLength(1);
      return receiver.of('SubscriptionConfirmation');
    }, deadline);
    const { Token } = z.object({ Token: z.string() }).parse(JSON.parse(confirmation?.body ?? ''));
    await sns.send(new ConfirmSubscriptionCommand({ TopicArn, Token }));
    const told = () => receiver.of('Notification').map(({ body }) => body);
    let isDown = true;
    receiver.react(() => (isDown ? 500 : 200));
    const publish = (Message: string) => sns.send(new PublishCommand({ TopicArn, Message }));
    await publish('failed before');
    await waitFor(() => expect(told()).toEqual(['failed before']), deadline);

    await setBack();
    isDown = false;
    await publish('after');

    await waitFor(
      () => expect(told().toSorted()).toEqual(['after', 'failed before', 'failed before']),
      deadline,
    );
    await publish('last');
    await waitFor(() => expect(told()).toContain('last'), deadline);
    expect(told()).toHaveLength(4);
  });
});
