import { type Endpoint, isSubscribed } from '../../../shared/notifications/endpoints/endpoint.ts';
/** A customer's subscription to the topic. Fields that SNS does not report while it is pending are `undefined`. */
export interface Subscription {
  /** `undefined` while the subscription is pending: SNS then reports its ARN only to the call that created it. */
  readonly arn: string | undefined;
  readonly endpoint: string;
  readonly state: 'pending' | 'confirmed';
  readonly applicationId: string | undefined;
  /** Whether SNS posts the bare message, without its envelope and signature. */
  readonly isRaw: boolean | undefined;
  readonly hasFilterPolicy: boolean;
  /** `undefined` if there is none, or SNS does not report it. */
  readonly filterPolicy?: unknown;
  readonly maxReceivesPerSecond: number | undefined;
}

/**
 * The arguments of one Subscribe call. They include the filter policy: if a later call set it, the endpoint could
 * receive other customers' messages in between.
 */
export interface NewSubscription {
  readonly endpoint: string;
  readonly protocol: 'http' | 'https' | 'sqs';
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Subscriptions {
  list(): Promise<Subscription[]>;
  /** Returns the ARN. If the endpoint has a pending subscription, SNS sends its confirmation message again. */
  add(subscription: NewSubscription): Promise<string>;
  remove(arn: string): Promise<void>;
}

/**
 * Endpoints that are not subscribed any more although the operator did not remove them: their `UnsubscribeURL` was
 * requested, or their subscription was never confirmed.
 */
export const endedOf = (
  endpoints: readonly Endpoint[],
  subscriptions: readonly Pick<Subscription, 'endpoint'>[],
): Endpoint[] =>
  endpoints.filter(
    (known) => isSubscribed(known) && !subscriptions.some(({ endpoint }) => endpoint === known.destination),
  );
