import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EngineClock, machineClock } from '../../clock.ts';
import { arn } from '../account.ts';
import { type KeyPermission, serviceMay } from '../iam/service-use.ts';
import type { Metrics } from '../metrics/types.ts';
import { deliveryLogFile } from '../sns-delivery/delivery-log.ts';
import { createHiddenQueues } from '../sns-delivery/hidden-queues.ts';
import { createPoster, snsTimeoutMilliseconds } from '../sns-delivery/poster.ts';
import { queuePermission } from '../sns-delivery/queue-permission.ts';
import { createQueueSender } from '../sns-delivery/queue-sender.ts';
import { openSigner } from '../sns-delivery/signer.ts';
import { isDelivered, openSubscriptions } from '../sns-delivery/subscription-store.ts';
import { createSubscriptions } from '../sns-delivery/subscriptions.ts';
import type { DeliveryLogging, FinishedDelivery } from '../sns-delivery/types.ts';
import { snsResult, startFauxqsThread, xmlText } from './fauxqs.ts';
import { topicAttributes } from './listing.ts';
import { measuredQueues } from './measured-queues.ts';
import { measuredDeadLetters, measuredSns, measureFinished } from './measured-sns.ts';
import { createQueues } from './queues.ts';
import type { MessageAttribute, Messaging } from './types.ts';

export interface MessagingOptions {
  readonly stateDirectory: string;
  /** The URL of the AWS endpoint. Queue URLs begin with it, and the links in SNS's messages with `secureEndpointUrl`. */
  readonly endpointUrl: string;
  readonly secureEndpointUrl: string;
  /** Certificate authorities (PEM) that are trusted for HTTPS receivers in addition to the public ones. */
  readonly authorities: readonly string[];
  /** How long a receiver may take to respond. @default 15_000, the timeout of SNS */
  readonly deliveryTimeoutMilliseconds?: number;
  /**
   * Called when the delivery of a notification or confirmation has succeeded or was given up. `logging` has the topic's
   * settings for delivery-status logging.
   */
  readonly onFinishedDelivery?: (delivery: FinishedDelivery, logging: DeliveryLogging) => void;
  /** Whether a service may use a KMS key of the template. @default allows everything, for a template without keys */
  readonly keyAdmits?: KeyPermission;
  /** @default the machine's clock */
  readonly clock?: EngineClock;
  readonly metrics?: Pick<Metrics, 'put'>;
  readonly onError: (error: unknown) => void;
}

const settableTopicAttributes = [
  'DisplayName',
  'Policy',
  'DeliveryPolicy',
  'KmsMasterKeyId',
  'TracingConfig',
  'SignatureVersion',
];

/** Writes a map as `Attributes.entry.1.key=…&Attributes.entry.1.value=…`. */
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
  const { keyAdmits = () => true, clock = machineClock } = options;
  const dataDirectory = join(stateDirectory, 'messages');
  mkdirSync(dataDirectory, { recursive: true });
  const [started, signer] = await Promise.all([
    startFauxqsThread(dataDirectory, clock),
    openSigner(stateDirectory),
  ]);
  const fauxqs = options.metrics === undefined ? started : measuredSns(started, options.metrics, clock.now);
  const loggingOfTopics = new Map<string, DeliveryLogging>();
  const knownTopics = new Map<string, Readonly<Record<string, string>>>();

  const sns = async (parameters: Record<string, string>): Promise<string> =>
    snsResult(await fauxqs.sns(new URLSearchParams(parameters)));
  const refreshTopic = async (topicArn: string): Promise<void> => {
    knownTopics.set(topicArn, await topicAttributes(fauxqs, topicArn));
  };

  const queues = createQueues(fauxqs, endpointUrl);
  const admits = queuePermission({ queues, keyAdmits });
  const measured = options.metrics && measuredQueues(queues, { metrics: options.metrics, clock, onError });
  const subscriptions = createSubscriptions({
    store: openSubscriptions(stateDirectory),
    hidden: createHiddenQueues(fauxqs),
    queues,
    mayDeadLetter:
      options.metrics === undefined ? admits : measuredDeadLetters(admits, options.metrics, clock.now),
    poster: createPoster({
      authorities,
      timeoutMilliseconds: options.deliveryTimeoutMilliseconds ?? snsTimeoutMilliseconds,
    }),
    sendToQueue: createQueueSender({ queues, admits }),
    sender: { signer, secureEndpointUrl },
    topicAttributes: (topicArn) => knownTopics.get(topicArn) ?? {},
    clock: clock.now,
    onFinished: (delivery) => {
      if (options.metrics !== undefined && delivery.type === 'Notification')
        measureFinished(options.metrics, delivery, clock.now);
      options.onFinishedDelivery?.(delivery, loggingOfTopics.get(delivery.topicArn) ?? {});
    },
    log: deliveryLogFile(join(stateDirectory, 'logs', 'sns-deliveries.log')),
    onError,
  });
  const setTopicAttributes: Messaging['setTopicAttributes'] = async (TopicArn, attributes) => {
    for (const [AttributeName, AttributeValue] of Object.entries(attributes)) {
      await sns({ Action: 'SetTopicAttributes', TopicArn, AttributeName, AttributeValue });
    }
    await refreshTopic(TopicArn);
  };

  await Promise.all([...new Set(subscriptions.list().map(({ topicArn }) => topicArn))].map(refreshTopic));

  return {
    ...queues,
    ...(measured && { createQueue: measured.createQueue, deleteQueue: measured.deleteQueue }),
    async createTopic({ name, attributes, deliveryStatusLogging }) {
      await sns({ Action: 'CreateTopic', Name: name });
      const topicArn = arn('sns', name);
      if (deliveryStatusLogging) loggingOfTopics.set(topicArn, deliveryStatusLogging);
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
    async deleteTopic(topicArn) {
      for (const subscription of subscriptions.list(topicArn)) {
        await subscriptions.unsubscribe(subscription.arn, 'owner');
      }
      await sns({ Action: 'DeleteTopic', TopicArn: topicArn });
    },
    async subscribe({ topicArn, protocol, endpoint, attributes }) {
      if (isDelivered(protocol)) {
        const existing = subscriptions
          .list(topicArn)
          .find((each) => each.endpoint === endpoint && each.status === 'confirmed');
        // CloudFormation changes the attributes of an existing subscription, where Subscribe would refuse other ones.
        for (const [name, value] of existing ? Object.entries(attributes) : []) {
          await subscriptions.setAttribute({ arn: existing?.arn ?? '', name, value });
        }
        const { arn: subscriptionArn } =
          existing ?? (await subscriptions.subscribe({ topicArn, protocol, endpoint, attributes }));
        return { subscriptionArn };
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
    async publish({ topicArn, message, subject, attributes = {} }) {
      const answer = await sns({
        Action: 'Publish',
        TopicArn: topicArn,
        Message: message,
        ...(subject !== undefined && { Subject: subject }),
        ...formMessageAttributes(attributes),
      });
      return { messageId: xmlText(answer, 'MessageId') ?? '' };
    },
    async mayPublish({ topicArn, ...use }) {
      const { Policy, KmsMasterKeyId } = await topicAttributes(fauxqs, topicArn);
      // A topic without a policy has SNS's default policy, which admits every caller in the account.
      const admits =
        !Policy || serviceMay(use, { policy: Policy, action: 'sns:Publish', resource: topicArn });
      if (!admits) return 'refused by the topic';
      return !KmsMasterKeyId || keyAdmits(use, KmsMasterKeyId) ? 'allowed' : 'refused by the key';
    },
    setTopicAttributes,
    subscriptions,
    wire: fauxqs,
    signingCertificate: { path: signer.certificatePath, pem: signer.certificate },
    start: subscriptions.start,
    async stop() {
      await measured?.stop();
      await subscriptions.stop();
      await fauxqs.stop();
    },
  };
};
