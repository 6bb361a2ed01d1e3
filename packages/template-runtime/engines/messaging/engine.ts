import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { arn } from '../account.ts';
import { deadLetterPermission } from '../sns-delivery/dead-letter-permission.ts';
import { deliveryLogFile } from '../sns-delivery/delivery-log.ts';
import { createHiddenQueues } from '../sns-delivery/hidden-queues.ts';
import { createHttpSubscriptions, type HttpSubscriptions } from '../sns-delivery/http-subscriptions.ts';
import { createPoster, snsTimeoutMilliseconds } from '../sns-delivery/poster.ts';
import { openSigner } from '../sns-delivery/signer.ts';
import { openSubscriptions } from '../sns-delivery/subscriptions.ts';
import { type FauxqsCalls, snsResult, startFauxqsThread, xmlText } from './fauxqs.ts';
import { topicAttributes } from './listing.ts';
import { createQueues } from './queues.ts';

export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  /** Base64. */
  readonly BinaryValue?: string;
}

export interface QueueMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly md5OfBody: string;
  /** SQS's own, e.g. `ApproximateReceiveCount`, `SentTimestamp`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, MessageAttribute>>;
}

/**
 * What stands in for SNS and SQS. Messages, those in flight, subscriptions and their retries are kept in the state
 * directory, each before the call that made them is answered.
 */
export interface Messaging {
  createQueue(queue: {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
  }): Promise<{
    readonly url: string;
    readonly arn: string;
  }>;
  createTopic(topic: {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
  }): Promise<{
    readonly arn: string;
  }>;
  /** Of any protocol; an HTTP(S) endpoint gets its confirmation message. */
  subscribe(subscription: {
    readonly topicArn: string;
    readonly protocol: string;
    readonly endpoint: string;
    readonly attributes: Readonly<Record<string, string>>;
  }): Promise<{ readonly subscriptionArn: string }>;
  publish(message: {
    readonly topicArn: string;
    readonly message: string;
    readonly attributes?: Readonly<Record<string, MessageAttribute>>;
  }): Promise<{ readonly messageId: string }>;

  send(message: {
    readonly queueArn: string;
    readonly body: string;
    readonly attributes?: Readonly<Record<string, MessageAttribute>>;
  }): Promise<{ readonly messageId: string }>;
  /** Long poll; answers at once when something is there, and with an empty list after `waitSeconds` or when aborted. */
  receive(request: {
    readonly queueArn: string;
    readonly maximum: number;
    readonly waitSeconds: number;
    readonly visibilityTimeoutSeconds?: number;
    readonly signal?: AbortSignal;
  }): Promise<readonly QueueMessage[]>;
  remove(message: { readonly queueArn: string; readonly receiptHandle: string }): Promise<void>;
  changeVisibility(message: {
    readonly queueArn: string;
    readonly receiptHandle: string;
    readonly seconds: number;
  }): Promise<void>;
  queueAttributes(queueArn: string): Promise<Readonly<Record<string, string>>>;
  setQueueAttributes(queueArn: string, attributes: Readonly<Record<string, string>>): Promise<void>;
  /** Sets attributes of a topic that is there. */
  setTopicAttributes(topicArn: string, attributes: Readonly<Record<string, string>>): Promise<void>;

  readonly httpSubscriptions: HttpSubscriptions;
  /** What answers the calls that need nothing of ours. */
  readonly wire: FauxqsCalls;
  /** Where `SigningCertURL` points to on the AWS endpoint. */
  readonly signingCertificate: { readonly path: string; readonly pem: string };
  stop(): Promise<void>;
}

export interface MessagingOptions {
  readonly stateDirectory: string;
  /** Of the AWS endpoint: what `SubscribeURL`, `SigningCertURL` and queue URLs begin with. */
  readonly endpointUrl: string;
  readonly secureEndpointUrl: string;
  /** PEM of authorities that HTTPS receivers' certificates may come from, besides the public ones. */
  readonly authorities: readonly string[];
  /** How long a receiver may take to answer. @default 15_000, as SNS has it */
  readonly deliveryTimeoutMilliseconds?: number;
  /** What failed inside, without a caller to tell. */
  readonly onError: (error: unknown) => void;
}

/** Settable by SetTopicAttributes here; what else a template says of a topic (its logging) changes nothing locally. */
const settableTopicAttributes = [
  'DisplayName',
  'Policy',
  'DeliveryPolicy',
  'KmsMasterKeyId',
  'TracingConfig',
  'SignatureVersion',
];

/** `Attributes.entry.1.key=…&Attributes.entry.1.value=…` */
const formEntries = (attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value], index) => [
      [`Attributes.entry.${index + 1}.key`, key],
      [`Attributes.entry.${index + 1}.value`, value],
    ]),
  );

const formMessageAttributes = (
  attributes: Readonly<Record<string, MessageAttribute>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value], index) => {
      const prefix = `MessageAttributes.entry.${index + 1}`;
      return [
        [`${prefix}.Name`, name],
        ...Object.entries(value).map(([field, text]) => [`${prefix}.Value.${field}`, text]),
      ];
    }),
  );

export const createMessaging = async (options: MessagingOptions): Promise<Messaging> => {
  const { stateDirectory, endpointUrl, secureEndpointUrl, authorities, onError } = options;
  const dataDirectory = join(stateDirectory, 'messages');
  mkdirSync(dataDirectory, { recursive: true });
  const [fauxqs, signer] = await Promise.all([startFauxqsThread(dataDirectory), openSigner(stateDirectory)]);
  const knownTopics = new Map<string, Readonly<Record<string, string>>>();

  const sns = async (parameters: Record<string, string>): Promise<string> =>
    snsResult(await fauxqs.sns(new URLSearchParams(parameters)));
  const refreshTopic = async (topicArn: string): Promise<void> => {
    knownTopics.set(topicArn, await topicAttributes(fauxqs, topicArn));
  };

  const queues = createQueues(fauxqs, endpointUrl);
  const httpSubscriptions = createHttpSubscriptions({
    store: openSubscriptions(stateDirectory),
    hidden: createHiddenQueues(fauxqs),
    queues,
    mayDeadLetter: deadLetterPermission(queues),
    poster: createPoster({
      authorities,
      timeoutMilliseconds: options.deliveryTimeoutMilliseconds ?? snsTimeoutMilliseconds,
    }),
    sender: { signer, endpointUrl, secureEndpointUrl },
    topicAttributes: (topicArn) => knownTopics.get(topicArn) ?? {},
    log: deliveryLogFile(join(stateDirectory, 'logs', 'sns-deliveries.log')),
    onError,
  });
  const setTopicAttributes: Messaging['setTopicAttributes'] = async (TopicArn, attributes) => {
    for (const [AttributeName, AttributeValue] of Object.entries(attributes)) {
      await sns({ Action: 'SetTopicAttributes', TopicArn, AttributeName, AttributeValue });
    }
    await refreshTopic(TopicArn);
  };

  await Promise.all([...new Set(httpSubscriptions.list().map(({ topicArn }) => topicArn))].map(refreshTopic));
  await httpSubscriptions.start();

  return {
    ...queues,
    async createTopic({ name, attributes }) {
      await sns({ Action: 'CreateTopic', Name: name });
      const topicArn = arn('sns', name);
      await setTopicAttributes(
        topicArn,
        Object.fromEntries(
          Object.entries(attributes).filter(([attributeName]) =>
            settableTopicAttributes.includes(attributeName),
          ),
        ),
      );
      return { arn: topicArn };
    },
    async subscribe({ topicArn, protocol, endpoint, attributes }) {
      if (protocol === 'http' || protocol === 'https') {
        const subscription = await httpSubscriptions.subscribe({ topicArn, protocol, endpoint, attributes });
        return { subscriptionArn: subscription.arn };
      }
      const answer = await sns({
        Action: 'Subscribe',
        TopicArn: topicArn,
        Protocol: protocol,
        Endpoint: endpoint,
        ...formEntries(attributes),
      });
      return { subscriptionArn: xmlText(answer, 'SubscriptionArn') ?? '' };
    },
    async publish({ topicArn, message, attributes = {} }) {
      const answer = await sns({
        Action: 'Publish',
        TopicArn: topicArn,
        Message: message,
        ...formMessageAttributes(attributes),
      });
      return { messageId: xmlText(answer, 'MessageId') ?? '' };
    },
    setTopicAttributes,
    httpSubscriptions,
    wire: fauxqs,
    signingCertificate: { path: signer.certificatePath, pem: signer.certificate },
    async stop() {
      await httpSubscriptions.stop();
      await fauxqs.stop();
    },
  };
};
