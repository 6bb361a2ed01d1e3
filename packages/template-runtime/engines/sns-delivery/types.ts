import type { Protocol, Subscription } from './subscription-store.ts';

export interface NewSubscription {
  readonly topicArn: string;
  readonly protocol: Protocol;
  readonly endpoint: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Subscriptions {
  /**
   * Sends a confirmation message, even if the endpoint's subscription is already pending. A queue of the topic's own
   * account needs no confirmation ("Subscribe", API reference).
   */
  subscribe(subscription: NewSubscription): Promise<Subscription>;
  /** Confirms a pending subscription or restores a deleted one. Has no effect on a confirmed subscription. */
  confirm(confirmation: {
    readonly topicArn: string;
    readonly token: string;
    readonly isSigned: boolean;
    readonly authenticateOnUnsubscribe: boolean;
  }): Promise<Subscription>;
  /** `get`, `list` and the methods below do not find a deleted subscription. */
  get(arn: string): Subscription | undefined;
  list(topicArn?: string): readonly Subscription[];
  attributes(arn: string): Readonly<Record<string, string>>;
  setAttribute(change: {
    readonly arn: string;
    readonly name: string;
    readonly value: string;
  }): Promise<void>;
  /**
   * Deletes the subscription and its waiting messages. If anyone but the owner does so, the endpoint receives a last
   * message with a link. For two days, the link can be used to restore the subscription ("Unsubscribe", API reference).
   */
  unsubscribe(arn: string, by: 'owner' | 'anyone'): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export type DeliveryLog = (entry: {
  readonly subscriptionArn: string;
  readonly endpoint: string;
  readonly messageId: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly next: 'none' | 'retry' | 'dead-letter' | 'discard';
}) => void;

/**
 * A notification, or the message that asks for a confirmation, that was delivered or given up. Times are milliseconds
 * since the Unix epoch.
 */
export interface FinishedDelivery {
  readonly type: 'Notification' | 'SubscriptionConfirmation';
  readonly succeeded: boolean;
  readonly protocol: Protocol;
  readonly topicArn: string;
  readonly messageId: string;
  readonly message: string;
  readonly publishedAt: number;
  readonly handedOverAt: number;
  readonly endedAt: number;
  readonly endpoint: string;
  readonly attempts: number;
  readonly providerResponse: string;
  readonly statusCode?: number;
}

/** The roles under which SNS logs deliveries. Successes or failures without a role are not logged. */
export interface DeliveryStatusLogging {
  readonly successRoleArn?: string;
  readonly failureRoleArn?: string;
  /** The percentage of successes that are logged. @default 100 */
  readonly successSamplePercent?: number;
}

/** The endpoints whose deliveries are logged, in CloudFormation's words for them. */
export type LoggedProtocol = 'http/s' | 'sqs';
export type DeliveryLogging = Readonly<Partial<Record<LoggedProtocol, DeliveryStatusLogging>>>;
