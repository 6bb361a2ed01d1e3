/** A customer's endpoint on the topic. What is not known of a pending one is undefined. */
export interface Subscription {
  /** SNS tells nobody the ARN of a subscription that was not confirmed, but whoever made it. */
  readonly arn: string | undefined;
  readonly endpoint: string;
  readonly state: 'pending' | 'confirmed';
  readonly applicationId: string | undefined;
  /** Whether the bare message is POSTed, without SNS's envelope and signature. */
  readonly isRaw: boolean | undefined;
  readonly hasFilterPolicy: boolean;
  readonly maxReceivesPerSecond: number | undefined;
}

/** Everything of a subscription goes into one call: a filter that is set later lets other customers' messages through. */
export interface NewSubscription {
  readonly endpoint: string;
  readonly protocol: 'http' | 'https';
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Subscriptions {
  list(): Promise<Subscription[]>;
  /** Answers the ARN. A pending one of the same endpoint gets its confirmation message again. */
  add(subscription: NewSubscription): Promise<string>;
  remove(arn: string): Promise<void>;
}
