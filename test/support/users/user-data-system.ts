import {
  ConfirmSubscriptionCommand,
  ListSubscriptionsByTopicCommand,
  SNSClient,
  SubscribeCommand,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { admittingTopic } from 'template-runtime/testing/queue-policy.ts';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { expect, type TestContext } from 'vitest';
import { type CustomerEndpoint, startCustomerEndpoint } from '../notifications/customer-endpoint.ts';
import { callApi } from '../platform/api-client.ts';
import type { System } from '../platform/system.ts';
import { operatorInProcess } from '../stage/console/operator-in-process.ts';

/**
 * An application that is notified only about the users of its own client, so that parallel tests do not affect each
 * other.
 */
export interface OwnApplication {
  readonly id: string;
  readonly clientId: string;
  readonly apiKey: string;
}

/** A dead-letter queue for a test's own subscriptions. */
export interface LetterQueue {
  readonly url: string;
  readonly arn: string;
}

/** What customers, their users and the operator do with the user data of a running system. */
export const userDataOf = (system: System) => {
  const sns = new SNSClient(system.aws);
  const sqs = new SQSClient(system.aws);
  const { outputs } = system;

  const unsubscribe = async (url: string): Promise<void> => {
    const { Subscriptions = [] } = await sns.send(
      new ListSubscriptionsByTopicCommand({ TopicArn: outputs.topic_arn }),
    );
    for (const { Endpoint, SubscriptionArn } of Subscriptions) {
      if (Endpoint === url && SubscriptionArn !== 'PendingConfirmation') {
        await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
      }
    }
  };

  const confirmation = (from: CustomerEndpoint) =>
    waitFor(() => {
      const found = from.posted.find(({ body }) => body.Type === 'SubscriptionConfirmation');
      if (found === undefined) throw new Error('no confirmation yet');
      return found;
    });

  /** The arguments of a child process that runs the operator's command line. */
  const operatorArguments = (...argv: readonly string[]): readonly string[] => [
    'operator/main.ts',
    '--json',
    '--outputs',
    `${system.stateDirectory}/outputs.json`,
    ...argv,
  ];

  const inProcess = operatorInProcess(`${system.stateDirectory}/outputs.json`);

  /** Runs an operator command, which must succeed, and returns its output. */
  const operator = async (...argv: readonly string[]): Promise<unknown> => {
    const printed = await inProcess('--json', ...argv);
    return printed === '' ? undefined : JSON.parse(printed);
  };

  return {
    sns,
    sqs,
    confirmation,
    operator,
    operatorArguments,

    /** One of the system's two demonstration applications. */
    application: (index: 0 | 1) => {
      const found = outputs.applications[index];
      if (found === undefined) throw new Error('two demonstration applications are expected');
      return found;
    },

    /** Creates an application for one test. */
    ownApplication: async (id: string): Promise<OwnApplication> => {
      const clientId = `${id}-web`;
      const made = await operator('applications', 'create', id, '--audience', 'linked', '--client', clientId);
      return { id, clientId, apiKey: (made as { api_key: string }).api_key };
    },

    /** A customer's endpoint that is unsubscribed and stopped when the test ends. */
    endpoint: async (
      { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
      react?: Parameters<typeof startCustomerEndpoint>[0],
    ): Promise<CustomerEndpoint> => {
      const started = await startCustomerEndpoint(react);
      onTestFinished(async () => {
        await waitFor(() => unsubscribe(started.url));
        await started.stop();
      });
      return started;
    },

    subscribe: async (url: string, applicationId: string, attributes: Record<string, string> = {}) => {
      await sns.send(
        new SubscribeCommand({
          TopicArn: outputs.topic_arn,
          Protocol: 'http',
          Endpoint: url,
          Attributes: {
            FilterPolicy: JSON.stringify({ application_id: [applicationId] }),
            RawMessageDelivery: 'true',
            RedrivePolicy: JSON.stringify({
              deadLetterTargetArn: await system.stackOutput('DeadLetterQueueArn'),
            }),
            DeliveryPolicy: JSON.stringify({
              healthyRetryPolicy: { numRetries: 2, minDelayTarget: 1, maxDelayTarget: 2 },
              requestPolicy: { headerContentType: 'application/json' },
            }),
            ...attributes,
          },
        }),
      );
    },

    confirm: async (from: CustomerEndpoint): Promise<void> => {
      const { body } = await confirmation(from);
      expect((await callApi(String(body.SubscribeURL))).status).toBe(200);
    },

    /** A user's change. */
    put: async (sub: string, user_data: Record<string, unknown>, clientId = 'test'): Promise<void> => {
      const token = await system.token({ sub, client_id: clientId });
      const url = `${outputs.api_url_profile}/user/data`;
      const answer = await callApi(url, { method: 'PUT', token, body: { user_data } });
      if (answer.status !== 200) throw new Error(`PUT answered ${answer.status}: ${answer.text}`);
    },

    read: async (application_user_sub: unknown, key: string) => {
      const url = `${outputs.api_url_b2b}/user-data/read`;
      const { status, json } = await callApi<Record<string, unknown>>(url, {
        key,
        body: { application_user_sub },
      });
      return { status, body: json };
    },

    b2b: async <Json = Record<string, unknown>>(
      key: string,
      path: string,
      { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
    ) => {
      const { status, json } = await callApi<Json>(`${outputs.api_url_b2b}${path}`, { key, headers, body });
      return { status, body: json };
    },

    /** A queue of another account than the system's. Messages that `next` returns are deleted. */
    customerQueue: async (account: string, name: string) => {
      const settings = { ...system.aws, credentials: { accessKeyId: account, secretAccessKey: 'any' } };
      const customer = new SQSClient(settings);
      const { QueueUrl = '' } = await customer.send(new CreateQueueCommand({ QueueName: name }));
      return {
        arn: `arn:aws:sqs:${system.aws.region}:${account}:${name}`,
        admit: (topicArn: string) =>
          customer.send(
            new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: admittingTopic(topicArn) } }),
          ),
        confirm: (Token: string) =>
          new SNSClient(settings).send(
            new ConfirmSubscriptionCommand({ TopicArn: outputs.topic_arn, Token }),
          ),
        next: (): Promise<string> =>
          waitFor(async () => {
            const { Messages: [message] = [] } = await customer.send(
              new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }),
            );
            if (message?.Body === undefined) throw new Error('the queue is empty');
            const { ReceiptHandle } = message;
            await customer.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
            return message.Body;
          }),
      };
    },

    letterQueue: async (name: string): Promise<LetterQueue> => {
      const { QueueUrl: url = '' } = await sqs.send(
        new CreateQueueCommand({
          QueueName: name,
          Attributes: { Policy: admittingTopic(outputs.topic_arn) },
        }),
      );
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
      );
      return { url, arn: Attributes?.QueueArn ?? '' };
    },

    /** Removes all dead letters from a queue and returns them. */
    takeLetters: async (QueueUrl: string): Promise<Record<string, string>[]> => {
      const found: Record<string, string>[] = [];
      for (;;) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
        );
        if (Messages.length === 0) return found;
        found.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
        for (const { ReceiptHandle } of Messages) {
          await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }
    },

    /** The number of dead letters in the system's own queue, including those in flight. */
    countLetters: async (): Promise<number> => {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: outputs.dlq_url,
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
        }),
      );
      return Object.values(Attributes).reduce((sum, value) => sum + Number(value), 0);
    },

    /** Whether the system's own queue has a dead letter that is not in flight. Waits up to ten seconds for one. */
    hasLetters: async (): Promise<boolean> => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: outputs.dlq_url, VisibilityTimeout: 1, WaitTimeSeconds: 10 }),
      );
      return Messages.length > 0;
    },
  };
};
