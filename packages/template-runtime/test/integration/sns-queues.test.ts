import {
  ConfirmSubscriptionCommand,
  GetSubscriptionAttributesCommand,
  ListSubscriptionsByTopicCommand,
  ListTopicsCommand,
  PublishCommand,
  SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FinishedDelivery } from '../../engines/sns-delivery/types.ts';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';
import { admittingTopic } from '../../testing/queue-policy.ts';
import { waitFor } from '../../testing/wait.ts';

const own = '000000000000';
const other = '111122223333';
const deadline = { interval: 50 };

let endpoint: TestEndpoint;
let sns: SNSClient;
const finished: FinishedDelivery[] = [];
let topicArn: string;
let tests = 0;

/** Clients with the credentials of an account's root user. */
const clientOf = (account: string) => ({
  ...endpoint.client,
  credentials: { accessKeyId: account, secretAccessKey: 'any' },
});
const sqsOf = (account: string): SQSClient => new SQSClient(clientOf(account));

beforeAll(async () => {
  endpoint = await startAwsEndpoint({ onFinishedDelivery: (delivery) => finished.push(delivery) });
  sns = new SNSClient(endpoint.client);
});
afterAll(() => endpoint.stop());
beforeEach(async () => {
  tests += 1;
  finished.length = 0;
  ({ arn: topicArn } = await endpoint.messaging.createTopic({
    name: `topic-${tests}`,
    attributes: { SignatureVersion: '2' },
  }));
});

const newQueue = async (account: string, policy?: string) => {
  const sqs = sqsOf(account);
  const { QueueUrl = '' } = await sqs.send(
    new CreateQueueCommand({
      QueueName: `queue-${tests}`,
      ...(policy && { Attributes: { Policy: policy } }),
    }),
  );
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  const found: Message[] = [];
  const receive = async (): Promise<readonly Message[]> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
    );
    found.push(...Messages);
    return found;
  };
  return {
    url: QueueUrl,
    arn: Attributes?.QueueArn ?? '',
    setPolicy: (Policy: string) =>
      sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } })),
    remove: () => sqs.send(new DeleteQueueCommand({ QueueUrl })),
    /** Resolves to all messages so far, as soon as there are `count` of them. */
    messages: (count: number) =>
      waitFor(async () => {
        expect(await receive()).toHaveLength(count);
        return found;
      }, deadline),
    messagesAtLeast: (count: number) =>
      waitFor(async () => {
        expect((await receive()).length).toBeGreaterThanOrEqual(count);
        return found;
      }, deadline),
  };
};
const subscribe = async (queueArn: string, Attributes: Record<string, string> = {}): Promise<string> => {
  const { SubscriptionArn = '' } = await sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: 'sqs',
      Endpoint: queueArn,
      Attributes,
      ReturnSubscriptionArn: true,
    }),
  );
  return SubscriptionArn;
};
const publish = (message: string) =>
  sns.send(
    new PublishCommand({
      TopicArn: topicArn,
      Message: message,
      MessageAttributes: { application_id: { DataType: 'String', StringValue: 'a' } },
    }),
  );
const finishedDeliveries = (count: number) =>
  waitFor(() => {
    expect(finished).toHaveLength(count);
    return finished;
  }, deadline);

describe('a subscribed queue in the topic’s account', () => {
  it('needs no confirmation, and receives the signed envelope of SNS', async () => {
    const queue = await newQueue(own, admittingTopic(topicArn));
    const arn = await subscribe(queue.arn);

    await publish('hello');

    const [message] = await queue.messages(1);
    expect(JSON.parse(message?.Body ?? '')).toMatchObject({
      Type: 'Notification',
      Message: 'hello',
      SignatureVersion: '2',
      Signature: expect.stringMatching(/^[\w+/=]{300,}$/),
      MessageAttributes: { application_id: { Type: 'String', Value: 'a' } },
    });
    const { Attributes } = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn: arn }));
    expect(Attributes).toMatchObject({ PendingConfirmation: 'false', Protocol: 'sqs', Endpoint: queue.arn });
    const [delivery] = await finishedDeliveries(1);
    expect(delivery).toMatchObject({
      succeeded: true,
      protocol: 'sqs',
      endpoint: queue.arn,
      statusCode: 200,
    });
  });

  it('receives the bare message and its attributes if raw delivery is enabled', async () => {
    const queue = await newQueue(own, admittingTopic(topicArn));
    await subscribe(queue.arn, { RawMessageDelivery: 'true' });

    await publish('hello');

    const [message] = await queue.messages(1);
    expect(message).toMatchObject({
      Body: 'hello',
      MessageAttributes: { application_id: { DataType: 'String', StringValue: 'a' } },
    });
  });

  it.each([
    ['has no policy', () => undefined],
    ['admits another topic', () => admittingTopic(`${topicArn}-other`)],
  ])('receives nothing if it %s, and the message is dead-lettered at once', async (_, policy) => {
    const queue = await newQueue(own, policy());
    const deadLetters = await endpoint.messaging.createQueue({
      name: `dead-letters-${tests}`,
      attributes: { Policy: admittingTopic(topicArn) },
    });
    await subscribe(queue.arn, {
      RawMessageDelivery: 'true',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetters.arn }),
    });

    await publish('hello');

    const [delivery] = await finishedDeliveries(1);
    expect(delivery).toMatchObject({ succeeded: false, attempts: 1, statusCode: 403 });
    expect(JSON.parse(delivery?.providerResponse ?? '')).toMatchObject({ ErrorCode: 'AccessDenied' });
    const letters = await waitFor(async () => {
      const found = await endpoint.messaging.receive({
        queueArn: deadLetters.arn,
        maximum: 10,
        waitSeconds: 0,
      });
      expect(found).toHaveLength(1);
      return found;
    }, deadline);
    expect(letters[0]?.body).toBe('hello');
  });

  it('causes no retries after it was deleted', async () => {
    const queue = await newQueue(own, admittingTopic(topicArn));
    await subscribe(queue.arn);
    await queue.remove();

    await publish('hello');

    const [delivery] = await finishedDeliveries(1);
    expect(delivery).toMatchObject({ succeeded: false, attempts: 1, statusCode: 400 });
    expect(delivery?.providerResponse).toContain('NonExistentQueue');
  });

  it.each([
    ['https://example.com/', 'SQS endpoint ARN'],
    [`arn:aws:sqs:us-east-1:${own}:orders.fifo`, 'FIFO SQS Queues can not be subscribed'],
  ])('is rejected with the address %s', async (address, named) => {
    await expect(subscribe(address)).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: expect.stringContaining(named),
    });
  });
});

describe('a subscribed queue in another account', () => {
  it('receives nothing until its owner confirms with the token in the queue', async () => {
    const queue = await newQueue(other, admittingTopic(topicArn));
    await subscribe(queue.arn, { RawMessageDelivery: 'true' });
    await publish('too early');

    const [request] = await queue.messages(1);
    const { Type, Token, TopicArn } = JSON.parse(request?.Body ?? '');
    expect({ Type, TopicArn }).toEqual({ Type: 'SubscriptionConfirmation', TopicArn: topicArn });
    const { Subscriptions } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: topicArn }));
    expect(Subscriptions).toMatchObject([{ SubscriptionArn: 'PendingConfirmation', Endpoint: queue.arn }]);
    await new SNSClient(clientOf(other)).send(new ConfirmSubscriptionCommand({ TopicArn: topicArn, Token }));
    await publish('in time');

    const messages = await queue.messages(2);
    expect(messages[1]?.Body).toBe('in time');
  });

  it('receives its confirmation after its policy was corrected and it is subscribed again', async () => {
    const queue = await newQueue(other);
    const arn = await subscribe(queue.arn);
    await queue.setPolicy(admittingTopic(topicArn));

    expect(await subscribe(queue.arn)).toBe(arn);

    // The first confirmation request may still be under way when the policy is corrected. Then both requests arrive.
    const [request] = await queue.messagesAtLeast(1);
    expect(JSON.parse(request?.Body ?? '')).toMatchObject({ Type: 'SubscriptionConfirmation' });
  });

  it('is neither listed nor accessible for the stack’s own account', async () => {
    const queue = await newQueue(other);

    expect(queue.arn).toBe(`arn:aws:sqs:us-east-1:${other}:queue-${tests}`);
    expect((await sqsOf(other).send(new ListQueuesCommand({}))).QueueUrls).toContain(queue.url);
    expect((await sqsOf(own).send(new ListQueuesCommand({}))).QueueUrls ?? []).not.toContain(queue.url);
    await expect(
      sqsOf(own).send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: 'x' })),
    ).rejects.toMatchObject({ message: expect.stringContaining('no resource-based policy allows') });
  });

  it('belongs to an account that cannot call anything in the stack’s account', async () => {
    await expect(new SNSClient(clientOf(other)).send(new ListTopicsCommand({}))).rejects.toMatchObject({
      name: 'AuthorizationErrorException',
    });
    await expect(
      new SNSClient(clientOf(other)).send(new PublishCommand({ TopicArn: topicArn, Message: 'x' })),
    ).rejects.toMatchObject({ name: 'AuthorizationErrorException' });
  });
});
