import { verify } from 'node:crypto';
import {
  ConfirmSubscriptionCommand,
  GetSubscriptionAttributesCommand,
  ListSubscriptionsByTopicCommand,
  ListSubscriptionsCommand,
  PublishCommand,
  SetSubscriptionAttributesCommand,
  SNSClient,
  SubscribeCommand,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';
import {
  ListQueuesCommand,
  ReceiveMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { serverUnderOwnAuthority } from '../../certificates.ts';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';
import { admittingTopic } from '../../testing/queue-policy.ts';
import { waitFor } from '../../testing/wait.ts';
import { type MessageType, type Receiver, startReceiver } from '../support/receiver.ts';

const confirmation = z.strictObject({
  Type: z.literal(['SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  Token: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  SubscribeURL: z.string(),
  Timestamp: z.iso.datetime(),
  SignatureVersion: z.string(),
  Signature: z.base64(),
  SigningCertURL: z.string(),
});
const deadline = { interval: 20 };

let endpoint: TestEndpoint;
let sns: SNSClient;
let sqs: SQSClient;
let receiver: Receiver;
let topicArn: string;
let deadLetterQueueArn: string;
let tests = 0;

const authority = await serverUnderOwnAuthority(['127.0.0.1']);

beforeAll(async () => {
  endpoint = await startAwsEndpoint({
    authorities: [authority.authority],
    deliveryTimeoutMilliseconds: 300,
  });
  sns = new SNSClient(endpoint.client);
  sqs = new SQSClient(endpoint.client);
});
afterAll(() => endpoint.stop());
beforeEach(async () => {
  tests += 1;
  receiver = await startReceiver();
  ({ arn: topicArn } = await endpoint.messaging.createTopic({
    name: `topic-${tests}`,
    attributes: { SignatureVersion: '2' },
  }));
  ({ arn: deadLetterQueueArn } = await endpoint.messaging.createQueue({
    name: `dead-letters-${tests}`,
    attributes: { Policy: admittingTopic(topicArn) },
  }));
});
afterEach(async () => {
  for (const { arn } of endpoint.messaging.subscriptions.list(topicArn)) {
    await endpoint.messaging.subscriptions.unsubscribe(arn, 'owner');
  }
  await receiver.stop();
});

const quickRetries = (retries: number) => ({
  healthyRetryPolicy: { numRetries: retries, numNoDelayRetries: retries },
});
const subscribe = async (attributes: Record<string, string> = {}, url = receiver.url): Promise<string> => {
  const { SubscriptionArn } = await sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: new URL(url).protocol.slice(0, -1),
      Endpoint: url,
      Attributes: attributes,
      ReturnSubscriptionArn: true,
    }),
  );
  return SubscriptionArn ?? '';
};
const received = (from: Receiver, type: MessageType, count: number) =>
  waitFor(() => {
    expect(from.of(type).length).toBeGreaterThanOrEqual(count);
    return from.of(type);
  }, deadline);
const confirmationSent = async (from = receiver) => {
  const [post] = await received(from, 'SubscriptionConfirmation', 1);
  return confirmation.parse(JSON.parse(post?.body ?? ''));
};
const subscribed = async (attributes: Record<string, string> = {}, to = receiver): Promise<string> => {
  const arn = await subscribe(attributes, to.url);
  const { SubscribeURL } = await confirmationSent(to);
  expect((await fetch(SubscribeURL)).status).toBe(200);
  return arn;
};
const publish = (message: string, applicationId = 'a') =>
  sns.send(
    new PublishCommand({
      TopicArn: topicArn,
      Message: message,
      MessageAttributes: { application_id: { DataType: 'String', StringValue: applicationId } },
    }),
  );
const deadLetters = async (count: number) => {
  const QueueUrl = `${endpoint.url}/000000000000/${deadLetterQueueArn.split(':').at(-1)}`;
  const found: { body: string; attributes: unknown }[] = [];
  await waitFor(async () => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
    );
    found.push(
      ...Messages.map(({ Body = '', MessageAttributes }) => ({ body: Body, attributes: MessageAttributes })),
    );
    expect(found).toHaveLength(count);
  }, deadline);
  return found;
};
const redrive = () => JSON.stringify({ deadLetterTargetArn: deadLetterQueueArn });
/** Verifies as "Verifying the signatures of Amazon SNS messages" says, with the certificate that the message names. */
const isSigned = async (text: string): Promise<boolean> => {
  const message: Readonly<Record<string, string>> = JSON.parse(text);
  const fields =
    message.Type === 'Notification'
      ? [
          'Message',
          'MessageId',
          ...('Subject' in message ? ['Subject'] : []),
          'Timestamp',
          'TopicArn',
          'Type',
        ]
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const { pem } = endpoint.messaging.signingCertificate;
  const certificate = await (await fetch(message.SigningCertURL ?? '')).text();
  expect(certificate).toBe(pem);
  return verify(
    message.SignatureVersion === '2' ? 'sha256' : 'sha1',
    Buffer.from(fields.map((field) => `${field}\n${message[field]}\n`).join('')),
    certificate,
    Buffer.from(message.Signature ?? '', 'base64'),
  );
};

describe('the subscription of an HTTP endpoint', () => {
  it('sends one confirmation with its ten fields, and nothing else until it is confirmed', async () => {
    const arn = await subscribe();
    const message = await confirmationSent();
    await publish('too early');

    expect(message.TopicArn).toBe(topicArn);
    expect(message.SubscribeURL).toContain(`${endpoint.secureUrl}/?Action=ConfirmSubscription&`);
    const [post] = receiver.received;
    expect(post?.headers).toMatchObject({
      'content-type': 'text/plain; charset=UTF-8',
      'user-agent': 'Amazon Simple Notification Service Agent',
      'x-amz-sns-message-id': message.MessageId,
      'x-amz-sns-message-type': 'SubscriptionConfirmation',
      'x-amz-sns-topic-arn': topicArn,
      'x-notify-message-type': 'SubscriptionConfirmation',
    });
    const listed = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: topicArn }));
    expect(listed.Subscriptions).toMatchObject([{ SubscriptionArn: 'PendingConfirmation' }]);

    expect((await fetch(message.SubscribeURL)).status).toBe(200);
    expect((await fetch(message.SubscribeURL)).status).toBe(200);
    await publish('in time');
    const notifications = await received(receiver, 'Notification', 1);
    expect(notifications).toHaveLength(1);
    expect(receiver.received).toHaveLength(2);
    expect(JSON.parse(notifications[0]?.body ?? '')).toMatchObject({ Message: 'in time' });
    expect(notifications[0]?.headers['x-amz-sns-subscription-arn']).toBe(arn);
  });

  it('signs confirmations and enveloped notifications in the documented way', async () => {
    await subscribed();
    await sns.send(
      new PublishCommand({ TopicArn: topicArn, Subject: 'Ünïcode', Message: '{"zażółć": "gęślą"}' }),
    );

    const [notification] = await received(receiver, 'Notification', 1);
    const [request] = receiver.of('SubscriptionConfirmation');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ SignatureVersion: '2' });
    expect(await isSigned(request?.body ?? '')).toBe(true);
    expect(JSON.parse(notification?.body ?? '')).toMatchObject({ Subject: 'Ünïcode' });
    expect(await isSigned(notification?.body ?? '')).toBe(true);
    const forged = { ...JSON.parse(notification?.body ?? ''), Message: 'forged' };
    expect(await isSigned(JSON.stringify(forged))).toBe(false);
  });

  it('signs with SHA1 if the topic is configured so', async () => {
    await endpoint.messaging.setTopicAttributes(topicArn, { SignatureVersion: '1' });

    await subscribe();

    const [request] = await received(receiver, 'SubscriptionConfirmation', 1);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ SignatureVersion: '1' });
    expect(await isSigned(request?.body ?? '')).toBe(true);
  });

  it('is confirmed by an API call, which rejects an invalid token and records who confirmed', async () => {
    const arn = await subscribe();
    const { Token } = await confirmationSent();

    await expect(
      sns.send(new ConfirmSubscriptionCommand({ TopicArn: topicArn, Token: 'made-up' })),
    ).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await sns.send(new ConfirmSubscriptionCommand({ TopicArn: topicArn, Token }));

    const { Attributes } = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn: arn }));
    expect(Attributes).toMatchObject({ PendingConfirmation: 'false', ConfirmationWasAuthenticated: 'true' });
  });

  it('ends when its UnsubscribeURL is opened', async () => {
    await subscribed();
    await publish('one');
    const [post] = await received(receiver, 'Notification', 1);

    const answer = await fetch(JSON.parse(post?.body ?? '').UnsubscribeURL);

    expect(answer.status).toBe(200);
    const { Subscriptions } = await sns.send(new ListSubscriptionsCommand({}));
    expect(Subscriptions).toEqual([]);
  });

  it('is listed without its internal delivery queue', async () => {
    const arn = await subscribed();

    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
    const { Subscriptions } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: topicArn }));

    expect(QueueUrls.every((url) => /\/dead-letters-\d+$/.test(url))).toBe(true);
    expect(Subscriptions).toMatchObject([{ SubscriptionArn: arn, Protocol: 'http', Endpoint: receiver.url }]);
  });

  it.each([
    ['an endpoint of another protocol', { Protocol: 'https' }, 'Endpoint'],
    ['a broken filter policy', { Attributes: { FilterPolicy: '{' } }, 'FilterPolicy'],
    ['an unknown attribute', { Attributes: { Nonsense: 'x' } }, 'AttributeName'],
    [
      'retries of more than an hour',
      {
        Attributes: {
          DeliveryPolicy: JSON.stringify({
            healthyRetryPolicy: { numRetries: 10, minDelayTarget: 600, maxDelayTarget: 600 },
          }),
        },
      },
      'DeliveryPolicy',
    ],
  ])('is rejected with %s', async (_, wrong, named) => {
    const request = { TopicArn: topicArn, Protocol: 'http', Endpoint: receiver.url, ...wrong };

    await expect(sns.send(new SubscribeCommand(request))).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: expect.stringContaining(named),
    });
  });

  it('is rejected with NotFound for a topic that does not exist', async () => {
    const request = { TopicArn: `${topicArn}-none`, Protocol: 'http', Endpoint: receiver.url };

    await expect(sns.send(new SubscribeCommand(request))).rejects.toMatchObject({
      name: 'NotFoundException',
    });
  });
});

describe('the delivery to an HTTP endpoint', () => {
  it("POSTs the bare message with the policy's content type, and the confirmation as plain text", async () => {
    const arn = await subscribed({
      RawMessageDelivery: 'true',
      DeliveryPolicy: JSON.stringify({ requestPolicy: { headerContentType: 'application/json' } }),
    });

    await publish('{"operation_type":"data_update"}');

    const [post] = await received(receiver, 'Notification', 1);
    const [confirmation] = receiver.of('SubscriptionConfirmation');
    expect(confirmation?.headers['content-type']).toBe('text/plain; charset=UTF-8');
    expect(post?.body).toBe('{"operation_type":"data_update"}');
    expect(post?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-amz-sns-rawdelivery': 'true',
      'x-amz-sns-subscription-arn': arn,
      'x-notify-message-type': 'Notification',
    });
  });

  it('applies the filter policy from the first message on, and a new policy once it is set', async () => {
    const arn = await subscribed({
      RawMessageDelivery: 'true',
      FilterPolicy: JSON.stringify({ application_id: ['a'] }),
    });

    await publish('for b', 'b');
    await publish('for a', 'a');
    await received(receiver, 'Notification', 1);
    await sns.send(
      new SetSubscriptionAttributesCommand({
        SubscriptionArn: arn,
        AttributeName: 'FilterPolicy',
        AttributeValue: JSON.stringify({ application_id: ['b'] }),
      }),
    );
    await publish('for a again', 'a');
    await publish('for b again', 'b');

    const posts = await received(receiver, 'Notification', 2);
    expect(posts.map(({ body }) => body)).toEqual(['for a', 'for b again']);
  });

  it.each([
    ['500', 500],
    ['503', 503],
    ['429', 429],
    ['a closed connection', 'close'],
    ['no answer in time', 'hang'],
  ] as const)(
    'retries after %s, and finally sends the bare message to the dead-letter queue',
    async (_, reaction) => {
      await subscribed({
        RawMessageDelivery: 'true',
        RedrivePolicy: redrive(),
        DeliveryPolicy: JSON.stringify(quickRetries(2)),
      });
      receiver.react(() => reaction);

      await publish('{"lost":true}');

      const [dead] = await deadLetters(1);
      expect(dead?.body).toBe('{"lost":true}');
      expect(dead?.attributes).toMatchObject({ application_id: { StringValue: 'a' } });
      expect(receiver.of('Notification')).toHaveLength(3);
    },
  );

  it.each([400, 404, 410, 301, 302])('does not retry after the status %i', async (status) => {
    await subscribed({ RedrivePolicy: redrive(), DeliveryPolicy: JSON.stringify(quickRetries(5)) });
    receiver.react(() => (response) => {
      response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
    });

    await publish('refused');

    const [dead] = await deadLetters(1);
    expect(JSON.parse(dead?.body ?? '')).toMatchObject({ Type: 'Notification', Message: 'refused' });
    expect(receiver.of('Notification')).toHaveLength(1);
  });

  it('waits between retries as configured in the delivery policy', async () => {
    await subscribed({
      DeliveryPolicy: JSON.stringify({
        healthyRetryPolicy: { numRetries: 2, minDelayTarget: 1, maxDelayTarget: 1 },
      }),
    });
    receiver.react(() => (receiver.of('Notification').length < 3 ? 500 : 200));

    await publish('late');

    const posts = await received(receiver, 'Notification', 3);
    const gaps = posts.slice(1).map(({ at }, index) => at - (posts[index]?.at ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(990);
  });

  it('is not faster than the throttle policy allows', async () => {
    await subscribed({
      RawMessageDelivery: 'true',
      DeliveryPolicy: JSON.stringify({ throttlePolicy: { maxReceivesPerSecond: 5 } }),
    });

    // The first delivery may arrive late, so the time counts from before the first message.
    const beganAt = Date.now();
    await Promise.all(Array.from({ length: 8 }, (_, index) => publish(`message ${index}`)));

    const posts = await received(receiver, 'Notification', 8);
    expect((posts.at(-1)?.at ?? 0) - beganAt).toBeGreaterThanOrEqual(1_300);
  });

  it('is not delayed for other subscriptions while one endpoint hangs', async () => {
    const other = await startReceiver();
    try {
      await subscribed({ DeliveryPolicy: JSON.stringify(quickRetries(50)) });
      await subscribed({ RawMessageDelivery: 'true' }, other);
      receiver.react(() => 'hang');

      await Promise.all(Array.from({ length: 200 }, (_, index) => publish(`message ${index}`)));

      // A message whose delivery takes too long is delivered again, so only different messages are counted.
      await waitFor(() => {
        const delivered = new Set(other.of('Notification').map(({ body }) => body));
        expect(delivered.size).toBe(200);
      }, deadline);
    } finally {
      await other.stop();
    }
  });

  it('sends each of many messages exactly once', async () => {
    await subscribed({ RawMessageDelivery: 'true' });

    for (let index = 0; index < 60; index += 1) await publish(String(index).padStart(2, '0'));

    const bodies = (await received(receiver, 'Notification', 60)).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(60);
  });
});

describe('the delivery to an HTTPS endpoint', () => {
  it('accepts a certificate of a trusted authority', async () => {
    const secure = await startReceiver({ key: authority.privateKey, cert: authority.certificate });
    try {
      await subscribed({ RawMessageDelivery: 'true' }, secure);
      await publish('over TLS');

      expect((await received(secure, 'Notification', 1))[0]?.body).toBe('over TLS');
    } finally {
      await secure.stop();
    }
  });

  it('rejects a certificate of an unknown authority', async () => {
    const stranger = await serverUnderOwnAuthority(['127.0.0.1']);
    const secure = await startReceiver({ key: stranger.privateKey, cert: stranger.certificate });
    try {
      const subscription = await subscribe({ DeliveryPolicy: JSON.stringify(quickRetries(0)) }, secure.url);
      await waitFor(async () => {
        const hidden = `arn:aws:sqs:us-east-1:000000000000:sns-http-delivery-${subscription.split(':').at(-1)}`;
        expect(await endpoint.messaging.queueAttributes(hidden)).toMatchObject({
          ApproximateNumberOfMessages: '0',
          ApproximateNumberOfMessagesNotVisible: '0',
        });
      }, deadline);

      expect(secure.received).toEqual([]);
    } finally {
      await secure.stop();
    }
  });
});

describe('the dead-letter queue of a subscription', () => {
  it.each([
    ['accepts a message of a topic that its policy allows', () => topicArn, '1'],
    ['does not accept a message of another topic', () => `${topicArn}-other`, '0'],
  ])('%s', async (_, admitted, count) => {
    await endpoint.messaging.setQueueAttributes(deadLetterQueueArn, {
      Policy: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 'sqs:*',
            Resource: deadLetterQueueArn,
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
          {
            Effect: 'Allow',
            Principal: { Service: 'sns.amazonaws.com' },
            Action: 'sqs:SendMessage',
            Resource: deadLetterQueueArn,
            Condition: { ArnEquals: { 'aws:SourceArn': admitted() } },
          },
        ],
      }),
    });
    const arn = await subscribed({ RedrivePolicy: redrive() });
    receiver.react(() => 404);

    await publish('refused');

    await received(receiver, 'Notification', 1);
    await waitFor(async () => {
      const hidden = `arn:aws:sqs:us-east-1:000000000000:sns-http-delivery-${arn.split(':').at(-1)}`;
      expect(await endpoint.messaging.queueAttributes(hidden)).toMatchObject({
        ApproximateNumberOfMessages: '0',
        ApproximateNumberOfMessagesNotVisible: '0',
      });
    }, deadline);
    expect(await endpoint.messaging.queueAttributes(deadLetterQueueArn)).toMatchObject({
      ApproximateNumberOfMessages: count,
    });
  });

  it('cannot be redriven by SQS if only SNS feeds it', async () => {
    await subscribed({ RedrivePolicy: redrive() });

    await expect(
      sqs.send(new StartMessageMoveTaskCommand({ SourceArn: deadLetterQueueArn })),
    ).rejects.toMatchObject({
      name: 'InvalidParameterValue',
      message: 'Source queue must be configured as a Dead Letter Queue.',
    });
  });

  it('can be redriven by SQS only while a source queue feeds it, too', async () => {
    await endpoint.messaging.createQueue({
      name: `mixed-${tests}`,
      attributes: {
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetterQueueArn, maxReceiveCount: 1 }),
      },
    });
    await expect(
      sqs.send(new StartMessageMoveTaskCommand({ SourceArn: deadLetterQueueArn })),
    ).resolves.toMatchObject({ TaskHandle: expect.any(String) });
    await subscribed({ RedrivePolicy: redrive() });

    await expect(
      sqs.send(new StartMessageMoveTaskCommand({ SourceArn: deadLetterQueueArn })),
    ).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });
});

describe('unsubscribing with the API', () => {
  it('ends deliveries without a last message to the endpoint', async () => {
    const arn = await subscribed({ RawMessageDelivery: 'true' });
    await publish('first');
    await received(receiver, 'Notification', 1);

    await sns.send(new UnsubscribeCommand({ SubscriptionArn: arn }));

    await publish('second');
    const { Subscriptions } = await sns.send(new ListSubscriptionsCommand({}));
    expect(Subscriptions).toEqual([]);
    expect(receiver.received.slice(1).map(({ body }) => body)).toEqual(['first']);
  });
});

describe('unsubscribing with the UnsubscribeURL', () => {
  const endedByLink = async (attributes: Record<string, string> = {}) => {
    const arn = await subscribed(attributes);
    const query = new URLSearchParams({ Action: 'Unsubscribe', SubscriptionArn: arn });
    expect((await fetch(`${endpoint.url}/?${query}`)).status).toBe(200);
    const [post] = await received(receiver, 'UnsubscribeConfirmation', 1);
    if (post === undefined) throw new Error('no message says that the subscription has ended');
    return { arn, post, message: confirmation.parse(JSON.parse(post.body)) };
  };

  it('sends the endpoint a last signed message, even if the subscription was raw', async () => {
    const { arn, post, message } = await endedByLink({ RawMessageDelivery: 'true' });

    expect(message).toMatchObject({
      Type: 'UnsubscribeConfirmation',
      TopicArn: topicArn,
      Message: `You have chosen to deactivate subscription ${arn}.\nTo cancel this operation and restore the subscription, visit the SubscribeURL included in this message.`,
    });
    expect(post.headers).toMatchObject({
      'x-amz-sns-message-id': message.MessageId,
      'x-amz-sns-message-type': 'UnsubscribeConfirmation',
      'x-amz-sns-subscription-arn': arn,
      'x-amz-sns-topic-arn': topicArn,
    });
    expect(post.headers).not.toHaveProperty('x-amz-sns-rawdelivery');
    expect(await isSigned(post.body)).toBe(true);
    await publish('too late');
    expect((await sns.send(new ListSubscriptionsCommand({}))).Subscriptions).toEqual([]);
    await expect(
      sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn: arn })),
    ).rejects.toMatchObject({ name: 'NotFoundException' });
    expect(receiver.of('Notification')).toEqual([]);
  });

  it('sends the message that confirms the end again if the endpoint rejects it', async () => {
    receiver.react(() => (receiver.of('UnsubscribeConfirmation').length === 1 ? 500 : 200));

    const { message } = await endedByLink({ DeliveryPolicy: JSON.stringify(quickRetries(2)) });

    const posts = await received(receiver, 'UnsubscribeConfirmation', 2);
    expect(JSON.parse(posts[1]?.body ?? '')).toMatchObject({ MessageId: message.MessageId });
  });

  it('can be undone with the SubscribeURL in that message, which restores the same subscription', async () => {
    const { arn, message } = await endedByLink({
      RawMessageDelivery: 'true',
      FilterPolicy: JSON.stringify({ application_id: ['a'] }),
    });

    expect((await fetch(message.SubscribeURL)).status).toBe(200);

    await publish('for b', 'b');
    await publish('for a', 'a');
    const [post] = await received(receiver, 'Notification', 1);
    expect(post?.body).toBe('for a');
    expect(post?.headers['x-amz-sns-subscription-arn']).toBe(arn);
  });

  it('cannot be undone after the endpoint was subscribed again', async () => {
    const { message } = await endedByLink();
    const arn = await subscribe();

    expect((await fetch(message.SubscribeURL)).status).toBe(400);

    const { Attributes } = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn: arn }));
    expect(Attributes).toMatchObject({ PendingConfirmation: 'true' });
  });
});
