/** A customer's subscription to the topic. Fields that SNS does not report while it is pending are `undefined`. */
export interface Subscription {
  /** `undefined` until the subscription is confirmed: until then SNS returns the ARN only when it is created. */
  readonly arn: string | undefined;
  readonly endpoint: string;
  readonly state: 'pending' | 'confirmed';
  readonly applicationId: string | undefined;
  /** Whether SNS posts the bare message, without its envelope and signature. */
  readonly isRaw: boolean | undefined;
  readonly hasFilterPolicy: boolean;
  readonly maxReceivesPerSecond: number | undefined;
}

/**
 * What one Subscribe call takes. It contains the filter policy: if that were set by a later call, the endpoint could
 * receive other customers' messages in between.
 */
export interface NewSubscription {
  readonly endpoint: string;
  readonly protocol: 'http' | 'https';
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Subscriptions {
  list(): Promise<Subscription[]>;
  /** Returns the ARN. If the endpoint has a pending subscription, SNS sends its confirmation message again. */
  add(subscription: NewSubscription): Promise<string>;
  remove(arn: string): Promise<void>;
}
