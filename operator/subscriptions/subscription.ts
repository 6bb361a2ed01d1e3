/** A customer's endpoint on the topic. Fields that SNS does not tell of a pending one are `undefined`. */
export interface Subscription {
  /** SNS tells the ARN of an unconfirmed subscription only to its creator. */
  readonly arn: string | undefined;
  readonly endpoint: string;
  readonly state: 'pending' | 'confirmed';
  readonly applicationId: string | undefined;
  /** Whether the bare message is POSTed, without SNS's envelope and signature. */
  readonly isRaw: boolean | undefined;
  readonly hasFilterPolicy: boolean;
  readonly maxReceivesPerSecond: number | undefined;
}

/** All attributes go into one call: if the filter were set later, other customers' messages would get through. */
export interface NewSubscription {
  readonly endpoint: string;
  readonly protocol: 'http' | 'https';
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Subscriptions {
  list(): Promise<Subscription[]>;
  /** Returns the ARN. For a pending subscription of the same endpoint, SNS sends the confirmation message again. */
  add(subscription: NewSubscription): Promise<string>;
  remove(arn: string): Promise<void>;
}
