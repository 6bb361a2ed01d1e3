import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ConfirmSubscriptionCommand,
  CreateTopicCommand,
  ListSubscriptionsCommand,
  PublishBatchCommand,
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { admittingTopic } from '../../testing/queue-policy.ts';
import { waitFor } from '../../testing/wait.ts';
import { type MessagingChild, startMessaging } from '../support/messaging-child.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const deadline = { interval: 50 };

let stateDirectory: string;
let messaging: MessagingChild;
let receiver: Receiver;

const restart = async (): Promise<void> => {
  const { port } = new URL(messaging.url);
  await messaging.kill();
  messaging = await startMessaging({ stateDirectory, port });
};
const arn = (service: string, name: string) => `arn:aws:${service}:us-east-1:000000000000:${name}`;
const tokenOf = (body: string): string => z.object({ Token: z.string() }).parse(JSON.parse(body)).Token;

beforeEach(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'messaging-restart-'));
  receiver = await startReceiver();
  messaging = await startMessaging({ stateDirectory });
});
afterEach(async () => {
  await messaging.kill();
  await receiver.stop();
  await rm(stateDirectory, { recursive: true, force: true });
});

describe('SQS and SNS after kill -9', () => {
  it('keep waiting and in-flight messages, and lose deleted ones', async () => {
    const sqs = new SQSClient(messaging.settings);
    const { QueueUrl } = await sqs.send(
      new CreateQueueCommand({ QueueName: 'work', Attributes: { VisibilityTimeout: '1' } }),
    );
    for (const MessageBody of ['one', 'two', 'three']) {
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    }
    const receive = () => sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 1 }));
    const [first] = (await receive()).Messages ?? [];
    const [second] = (await receive()).Messages ?? [];
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first?.ReceiptHandle }));

    await restart();

    const bodies: (string | undefined)[] = [];
    await waitFor(async () => {
      const { Messages = [] } = await receive();
      bodies.push(...Messages.map(({ Body }) => Body));
      expect(new Set(bodies)).toEqual(new Set([second?.Body, 'three']));
    }, deadline);
  });

  it('deliver or dead-letter every published message, including those in delivery', async () => {
    const sns = new SNSClient(messaging.settings);
    const sqs = new SQSClient(messaging.settings);
    const { QueueUrl } = await sqs.send(
      new CreateQueueCommand({
        QueueName: 'dead-letters',
        Attributes: { Policy: admittingTopic(arn('sns', 'changes')) },
      }),
    );
    const { TopicArn } = await sns.send(new CreateTopicCommand({ Name: 'changes' }));
    await sns.send(
      new SubscribeCommand({
        TopicArn,
        Protocol: 'http',
        Endpoint: receiver.url,
        Attributes: {
          RawMessageDelivery: 'true',
          DeliveryPolicy: JSON.stringify({
            healthyRetryPolicy: { numRetries: 3, minDelayTarget: 1, maxDelayTarget: 1 },
          }),
          RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn('sqs', 'dead-letters') }),
        },
      }),
    );
    const [confirmation] = await waitFor(() => {
      expect(receiver.of('SubscriptionConfirmation')).toHaveLength(1);
      return receiver.of('SubscriptionConfirmation');
    }, deadline);
    await restart();
    await sns.send(new ConfirmSubscriptionCommand({ TopicArn, Token: tokenOf(confirmation?.body ?? '') }));
    const accepted = new Set<string>();
    receiver.react(({ headers, body }) => {
      // A confirmation request that was delivered just before the kill arrives again.
      if (headers['x-amz-sns-message-type'] !== 'Notification') return 200;
      const index = Number(body);
      if (index % 10 === 0) return 500;
      if (index % 10 === 1) return 404;
      if (index % 10 === 2) return 'close';
      if (index % 10 === 3) return 'hang';
      accepted.add(body);
      return 200;
    });

    const all = Array.from({ length: 100 }, (_, index) => String(index));
    for (let from = 0; from < all.length; from += 10) {
      await sns.send(
        new PublishBatchCommand({
          TopicArn,
          PublishBatchRequestEntries: all
            .slice(from, from + 10)
            .map((Message) => ({ Id: `m${Message}`, Message })),
        }),
      );
    }
    await restart();
    // No request hangs any more, because each attempt that hangs takes fifteen seconds.
    receiver.react(({ headers, body }) => {
      // A confirmation request that was delivered just before the kill arrives again.
      if (headers['x-amz-sns-message-type'] !== 'Notification') return 200;
      const index = Number(body);
      if (index % 10 === 0) return 500;
      if (index % 10 === 1) return 404;
      if (index % 10 === 2) return 'close';
      accepted.add(body);
      return 200;
    });
    // Those in delivery are visible to the deliverer again after 20 seconds.
    messaging.advance(20_000);

    const dead = new Set<string>();
    await waitFor(async () => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      for (const { Body = '', ReceiptHandle } of Messages) {
        dead.add(Body);
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
      expect(new Set([...accepted, ...dead])).toEqual(new Set(all));
    }, deadline);
    expect([...dead].every((body) => Number(body) % 10 <= 2)).toBe(true);
    const { Subscriptions } = await sns.send(new ListSubscriptionsCommand({}));
    expect(Subscriptions).toHaveLength(1);
  });
});
