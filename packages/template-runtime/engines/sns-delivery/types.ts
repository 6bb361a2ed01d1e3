import type { HttpSubscription } from './subscriptions.ts';

export interface NewHttpSubscription {
  readonly topicArn: string;
  readonly protocol: 'http' | 'https';
  readonly endpoint: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** SNS's HTTP(S) subscriptions: pending until confirmed, then delivered to. */
export interface HttpSubscriptions {
  /** Sends a confirmation message, also for an endpoint that is already pending. */
  subscribe(subscription: NewHttpSubscription): Promise<HttpSubscription>;
  /** Can be repeated. Restores a deleted subscription. */
  confirm(confirmation: {
    readonly topicArn: string;
    readonly token: string;
    readonly isSigned: boolean;
    readonly authenticateOnUnsubscribe: boolean;
  }): Promise<HttpSubscription>;
  /** These do not find a deleted subscription. */
  get(arn: string): HttpSubscription | undefined;
  list(topicArn?: string): readonly HttpSubscription[];
  /** As GetSubscriptionAttributes shows them. */
  attributes(arn: string): Readonly<Record<string, string>>;
  setAttribute(change: {
    readonly arn: string;
    readonly name: string;
    readonly value: string;
  }): Promise<void>;
  /**
   * Deletes it, with all waiting messages. When somebody other than its owner asks, the endpoint gets a last message
   * that says so and can restore the subscription for two days ("Unsubscribe", API reference).
   */
  unsubscribe(arn: string, by: 'owner' | 'anyone'): Promise<void>;
  /** Resumes deliveries of an earlier process. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** One line for each attempt, with the fields of SNS's delivery-status log. */
export type DeliveryLog = (entry: {
  readonly subscriptionArn: string;
  readonly endpoint: string;
  readonly messageId: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly next: 'none' | 'retry' | 'dead-letter' | 'discard';
}) => void;

/** A notification that was delivered or given up. Times are milliseconds since the Unix epoch. */
export interface FinishedDelivery {
  readonly succeeded: boolean;
  readonly topicArn: string;
  readonly messageId: string;
  readonly message: string;
  readonly publishedAt: number;
  /** When the last attempt began. */
  readonly handedOverAt: number;
  readonly endedAt: number;
  readonly endpoint: string;
  readonly attempts: number;
  readonly providerResponse: string;
  /** Absent when the last attempt had no answer. */
  readonly statusCode?: number;
}

/** The roles under which a topic's HTTP(S) deliveries are logged; without a role they are not logged. */
export interface DeliveryStatusLogging {
  readonly successRoleArn?: string;
  readonly failureRoleArn?: string;
  /** The percentage of successes that are logged. @default 100 */
  readonly successSamplePercent?: number;
}
