import type { ServiceUse } from '../iam/service-use.ts';
import type { DeliveryStatusLogging, HttpSubscriptions } from '../sns-delivery/types.ts';
import type { FauxqsCalls } from './fauxqs.ts';

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
 * The local stand-in for SNS and SQS. Messages, those in flight, subscriptions and their retries are stored in the
 * state directory before the call that made them is answered.
 */
export interface Messaging {
  createQueue(queue: {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
  }): Promise<{
    readonly url: string;
    readonly arn: string;
  }>;
  deleteQueue(queueArn: string): Promise<void>;
  createTopic(topic: {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
    readonly deliveryStatusLogging?: DeliveryStatusLogging;
  }): Promise<{
    readonly arn: string;
  }>;
  /** With its subscriptions. */
  deleteTopic(topicArn: string): Promise<void>;
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
    readonly subject?: string;
    readonly attributes?: Readonly<Record<string, MessageAttribute>>;
  }): Promise<{ readonly messageId: string }>;

  /** Whether a service may publish to a topic, by the topic's policy and, if it is encrypted, its key's. */
  mayPublish(
    request: ServiceUse & { readonly topicArn: string },
  ): Promise<'allowed' | 'refused by the topic' | 'refused by the key'>;

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
  /** Answers the calls that need nothing beyond the engine. */
  readonly wire: FauxqsCalls;
  /** Where `SigningCertURL` points to on the AWS endpoint. */
  readonly signingCertificate: { readonly path: string; readonly pem: string };
  /** Resumes deliveries of an earlier process; call it when everything is deployed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
