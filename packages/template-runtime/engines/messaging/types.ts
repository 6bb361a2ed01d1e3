import type { ServiceUse } from '../iam/service-use.ts';
import type { DeliveryLogging, Subscriptions } from '../sns-delivery/types.ts';
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
  /** Attributes that SQS sets, e.g. `ApproximateReceiveCount`, `SentTimestamp`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, MessageAttribute>>;
}

/**
 * Imitates SNS and SQS. A call that creates a message, subscription or retry stores it in the state directory before
 * the call returns.
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
    readonly deliveryStatusLogging?: DeliveryLogging;
  }): Promise<{
    readonly arn: string;
  }>;
  deleteTopic(topicArn: string): Promise<void>;
  /**
   * Accepts every protocol. Sends an HTTP(S) endpoint its confirmation message. Changes the attributes of an endpoint
   * that is already subscribed.
   */
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

  /**
   * Whether a service may publish to the topic. The topic's policy decides and, for an encrypted topic, the key's
   * policy.
   */
  mayPublish(
    request: ServiceUse & { readonly topicArn: string },
  ): Promise<'allowed' | 'refused by the topic' | 'refused by the key'>;

  send(message: {
    readonly queueArn: string;
    readonly body: string;
    readonly attributes?: Readonly<Record<string, MessageAttribute>>;
  }): Promise<{ readonly messageId: string }>;
  /**
   * Long poll: resolves as soon as there are messages, or with an empty list after `waitSeconds`. Rejects when aborted.
   */
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
  setTopicAttributes(topicArn: string, attributes: Readonly<Record<string, string>>): Promise<void>;

  readonly subscriptions: Subscriptions;
  /** Calls the engine directly. */
  readonly wire: FauxqsCalls;
  /** SNS's signing certificate. The AWS endpoint serves it at `path`, to which `SigningCertURL` points. */
  readonly signingCertificate: { readonly path: string; readonly pem: string };
  /** Resumes the deliveries of an earlier process. Call this after everything is deployed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
