import { isDeepStrictEqual } from 'node:util';
import { addressOf } from '../../../shared/notifications/endpoints/address.ts';
import {
  type Endpoint,
  isQueue,
  isSubscribed,
  newEndpointId,
  withoutCredentials,
} from '../../../shared/notifications/endpoints/endpoint.ts';
import type { OperationType } from '../../../shared/notifications/messages/message.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { OperatorError, UsageError } from '../../platform/terminal/operator-error.ts';
import type { NewSubscription, Subscription, Subscriptions } from './subscription.ts';

/** How often SNS retries a failed delivery, and how long it waits before each retry. Delays are in seconds. */
export interface Retries {
  readonly count: number;
  readonly minDelay: number;
  readonly maxDelay: number;
  readonly backoff: 'linear' | 'arithmetic' | 'geometric' | 'exponential';
}

/** The default of SNS. It is stated explicitly so that the service does not change if AWS changes its default. */
export const defaultRetries: Retries = { count: 3, minDelay: 20, maxDelay: 20, backoff: 'linear' };

export interface SubscriptionOrder {
  readonly endpoint: string;
  readonly applicationId: string;
  /** A message that names this id is sent to this endpoint only. */
  readonly endpointId: string;
  readonly operationTypes: readonly OperationType[];
  /** Whether the endpoint gets SNS's signed envelope instead of the bare message. */
  readonly isEnveloped: boolean;
  readonly retries: Retries;
  readonly maxReceivesPerSecond: number | undefined;
  readonly deadLetterQueueArn: string;
}

/** The operator is warned when at least this share of the quota of filter policies is used. */
const warningShare = 0.8;

const queueArn = /^arn:[\w-]+:sqs:[\w-]+:\d{12}:[\w-]{1,80}(\.fifo)?$/;

const requireQueue = (endpoint: string): void => {
  const [isArn, fifo] = queueArn.exec(endpoint) ?? [];
  if (isArn === undefined) {
    throw new UsageError({
      message: `${endpoint} is not the ARN of a queue: arn:aws:sqs:REGION:ACCOUNT:NAME.`,
    });
  }
  if (fifo !== undefined) {
    throw new UsageError({
      message: `${endpoint} is a FIFO queue. The topic is a standard topic, from which SNS sends only to standard queues.`,
    });
  }
};

const protocolOf = (endpoint: string): NewSubscription['protocol'] => {
  if (isQueue(endpoint)) {
    requireQueue(endpoint);
    return 'sqs';
  }
  const url = URL.parse(endpoint);
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new UsageError({
      message: `${withoutCredentials(endpoint)} contains a user or a password, which would appear in logs and metrics. Instead, let the endpoint verify the signature of enveloped messages, or use a path that nobody can guess.`,
    });
  }
  if (url?.protocol === 'https:') return 'https';
  if (url?.protocol === 'http:') return 'http';
  throw new UsageError({
    message: `${endpoint} is neither an http or https address nor the ARN of a queue.`,
  });
};

const filterOf = ({
  applicationId,
  endpointId,
  operationTypes,
}: Pick<SubscriptionOrder, 'applicationId' | 'endpointId' | 'operationTypes'>) => ({
  application_id: [applicationId, addressOf({ applicationId, endpointId })],
  operation_type: [...new Set([...operationTypes, 'test'])],
});

/**
 * Whether SNS filters what it sends to a confirmed endpoint as the endpoint was added. If an endpoint is added soon
 * after it was removed, SNS may take the call for a repetition and keep the former filter, or none.
 */
export const hasOwnFilter = (
  { filterPolicy = null }: Pick<Subscription, 'filterPolicy'>,
  { applicationId, id: endpointId, operationTypes }: Endpoint,
): boolean => isDeepStrictEqual(filterPolicy, filterOf({ applicationId, endpointId, operationTypes }));

/** The attributes of the Subscribe call. */
export const newSubscription = (order: SubscriptionOrder): NewSubscription => {
  const { endpoint, isEnveloped, retries, maxReceivesPerSecond, deadLetterQueueArn } = order;
  if (retries.minDelay > retries.maxDelay) {
    throw new UsageError({ message: '--min-delay must not be greater than --max-delay.' });
  }
  const protocol = protocolOf(endpoint);
  const deliveryPolicy = {
    healthyRetryPolicy: {
      minDelayTarget: retries.minDelay,
      maxDelayTarget: retries.maxDelay,
      numRetries: retries.count,
      numNoDelayRetries: 0,
      numMinDelayRetries: 0,
      numMaxDelayRetries: 0,
      backoffFunction: retries.backoff,
    },
    ...(maxReceivesPerSecond !== undefined && { throttlePolicy: { maxReceivesPerSecond } }),
    // By default SNS sends raw messages as text/plain, which the customers' receivers refuse.
    requestPolicy: { headerContentType: 'application/json' },
  };
  return {
    endpoint,
    protocol,
    attributes: {
      FilterPolicy: JSON.stringify(filterOf(order)),
      FilterPolicyScope: 'MessageAttributes',
      RawMessageDelivery: String(!isEnveloped),
      // SNS itself determines how often it tries to deliver to a queue.
      ...(protocol === 'sqs' ? {} : { DeliveryPolicy: JSON.stringify(deliveryPolicy) }),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetterQueueArn }),
    },
  };
};

const requireFree = (existing: readonly Subscription[], endpoint: string): void => {
  const same = existing.find((each) => each.endpoint === endpoint && each.state === 'confirmed');
  if (same === undefined) return;
  const whose =
    same.applicationId === undefined ? 'an unknown application' : `application ${same.applicationId}`;
  throw new OperatorError({
    message: `${withoutCredentials(endpoint)} is already subscribed for ${whose} (${same.arn}). An endpoint can be subscribed to a topic only once: remove that subscription first, or use another path.`,
  });
};

export interface AddedSubscription {
  readonly arn: string;
  readonly endpointId: string;
  /** The other applications whose endpoint had this address. Their endpoints were removed. */
  readonly takenFrom: readonly string[];
  readonly filterPolicies: number;
  readonly warning: string | undefined;
}

/** What outlives a subscription: an endpoint that unsubscribed while it failed still fails, unless it was removed. */
const keptOf = (known: Endpoint | undefined): Pick<Endpoint, 'failingSince'> => ({
  failingSince: known?.removedAt === undefined ? known?.failingSince : undefined,
});

/** Since when the address belongs to the application. Begins anew after another application had the address. */
const ownedSince = (
  known: Endpoint | undefined,
  { others, now }: { readonly others: readonly Endpoint[]; readonly now: number },
): number =>
  known !== undefined && others.every(({ removedAt = now }) => removedAt <= known.createdAt)
    ? known.createdAt
    : now;

/**
 * Subscribes an endpoint for one application. SNS gives an address to one subscription, so if another application had
 * an endpoint there, that endpoint is removed: it has ended, or was never confirmed. Until the endpoint has confirmed,
 * SNS sends it only the confirmation message.
 *
 * @throws OperatorError when the endpoint is already subscribed, or the topic's quota of filter policies is used up.
 */
export const addSubscription = async ({
  order,
  application,
  subscriptions,
  endpoints,
  clock,
  filterPolicyQuota,
}: {
  readonly order: Omit<SubscriptionOrder, 'applicationId' | 'endpointId'>;
  readonly application: Pick<Application, 'id'>;
  readonly subscriptions: Subscriptions;
  readonly endpoints: Pick<Endpoints, 'list' | 'save' | 'remove'>;
  readonly clock: Clock;
  /** AWS's quota of filter policies for this topic. */
  readonly filterPolicyQuota: number;
}): Promise<AddedSubscription> => {
  const applicationId = application.id;
  // An address that was subscribed before keeps its endpoint id, so that its old dead letters can still be redriven.
  const there = (await endpoints.list()).filter(({ destination }) => destination === order.endpoint);
  const known = there.find((each) => each.applicationId === applicationId);
  const endpointId = known?.id ?? newEndpointId();
  const subscription = newSubscription({ ...order, applicationId, endpointId });
  const existing = await subscriptions.list();
  requireFree(existing, order.endpoint);
  const others = existing.filter(
    ({ hasFilterPolicy, endpoint }) => hasFilterPolicy && endpoint !== order.endpoint,
  );
  const filterPolicies = others.length + 1;
  if (filterPolicies > filterPolicyQuota) {
    throw new OperatorError({
      message: `The topic has ${others.length} filter policies, and the stage's quota is ${filterPolicyQuota}: ask AWS for a higher quota, then raise userData.filterPolicyQuota in the stage's configuration.`,
    });
  }
  const ofOthers = there.filter((each) => each.applicationId !== applicationId);
  const othersEndpoints = ofOthers.filter(isSubscribed);
  for (const { applicationId: whose, id } of othersEndpoints) {
    await endpoints.remove({ applicationId: whose, id, at: clock() });
  }
  // Stored before SNS gets the subscription, so that a delivery never goes to an unknown endpoint.
  await endpoints.save({
    applicationId,
    id: endpointId,
    destination: order.endpoint,
    isEnveloped: order.isEnveloped,
    operationTypes: order.operationTypes,
    createdAt: ownedSince(known, { others: ofOthers, now: clock() }),
    ...keptOf(known),
  });
  const arn = await subscriptions.add(subscription);
  const isNearlyFull = filterPolicies >= filterPolicyQuota * warningShare;
  return {
    arn,
    endpointId,
    takenFrom: othersEndpoints.map((each) => each.applicationId),
    filterPolicies,
    warning: isNearlyFull
      ? `The topic has ${filterPolicies} of ${filterPolicyQuota} filter policies: ask AWS for a higher quota before all are used.`
      : undefined,
  };
};

/**
 * Finds a subscription by its ARN or by its endpoint's address.
 *
 * @throws OperatorError when there is none, or it was never confirmed.
 */
export const findSubscription = async (
  subscriptions: Subscriptions,
  named: string,
): Promise<Subscription & { readonly arn: string }> => {
  const found = (await subscriptions.list()).find(({ arn, endpoint }) => arn === named || endpoint === named);
  if (found?.arn !== undefined) return { ...found, arn: found.arn };
  if (found === undefined) throw new OperatorError({ message: `There is no subscription ${named}.` });
  throw new OperatorError({
    message: `The subscription of ${named} was never confirmed. SNS sends it no notifications and deletes it after two days.`,
  });
};
