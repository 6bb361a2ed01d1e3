import type { Application } from '../../shared/applications/application.ts';
import type { Clock } from '../../shared/clock.ts';
import { addressOf } from '../../shared/notifications/address.ts';
import { newEndpointId, withoutCredentials } from '../../shared/notifications/endpoint.ts';
import type { OperationType } from '../../shared/notifications/message.ts';
import type { Endpoints } from '../../shared/notifications/ports/endpoints.ts';
import { OperatorError, UsageError } from '../operator-error.ts';
import type { NewSubscription, Subscription, Subscriptions } from './subscription.ts';

/** How often and when SNS retries an endpoint. Delays are in seconds. */
export interface Retries {
  readonly count: number;
  readonly minDelay: number;
  readonly maxDelay: number;
  readonly backoff: 'linear' | 'arithmetic' | 'geometric' | 'exponential';
}

/** SNS's own default, written out, so that a change by AWS changes nothing here. */
export const defaultRetries: Retries = { count: 3, minDelay: 20, maxDelay: 20, backoff: 'linear' };

export interface SubscriptionOrder {
  readonly endpoint: string;
  readonly applicationId: string;
  /** The endpoint's own id, by which messages can be sent to it alone. */
  readonly endpointId: string;
  readonly operationTypes: readonly OperationType[];
  /** Whether it gets SNS's signed envelope instead of the bare message. */
  readonly isEnveloped: boolean;
  readonly retries: Retries;
  readonly maxReceivesPerSecond: number | undefined;
  readonly deadLetterQueueArn: string;
}

/** Above this share of the quota, the operator is warned. */
const warningShare = 0.8;

const protocolOf = (endpoint: string): 'http' | 'https' => {
  const url = URL.parse(endpoint);
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new UsageError({
      message: `${withoutCredentials(endpoint)} contains a user or a password, which would appear in logs and metrics. Secure the endpoint by the signature of enveloped messages, or by a path that nobody can guess.`,
    });
  }
  if (url?.protocol === 'https:') return 'https';
  if (url?.protocol === 'http:') return 'http';
  throw new UsageError({ message: `${endpoint} is not an http or https address.` });
};

/** The attributes of the Subscribe call. */
export const newSubscription = (order: SubscriptionOrder): NewSubscription => {
  const { endpoint, applicationId, endpointId, isEnveloped, retries, maxReceivesPerSecond } = order;
  const { operationTypes, deadLetterQueueArn } = order;
  if (retries.minDelay > retries.maxDelay) {
    throw new UsageError({ message: 'The shortest delay between retries is longer than the longest.' });
  }
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
    ...(maxReceivesPerSecond === undefined ? {} : { throttlePolicy: { maxReceivesPerSecond } }),
    // SNS's default is text/plain, which receivers refuse.
    requestPolicy: { headerContentType: 'application/json' },
  };
  return {
    endpoint,
    protocol: protocolOf(endpoint),
    attributes: {
      FilterPolicy: JSON.stringify({
        application_id: [applicationId, addressOf({ applicationId, endpointId })],
        operation_type: [...new Set([...operationTypes, 'test'])],
      }),
      FilterPolicyScope: 'MessageAttributes',
      RawMessageDelivery: String(!isEnveloped),
      DeliveryPolicy: JSON.stringify(deliveryPolicy),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetterQueueArn }),
    },
  };
};

const requireFree = (existing: readonly Subscription[], endpoint: string): void => {
  const same = existing.find((each) => each.endpoint === endpoint && each.state === 'confirmed');
  if (same === undefined) return;
  const whose = same.applicationId === undefined ? 'somebody' : `application ${same.applicationId}`;
  throw new OperatorError({
    message: `${withoutCredentials(endpoint)} is already subscribed for ${whose} (${same.arn}). A topic can have an endpoint only once: remove that subscription first, or use another path.`,
  });
};

export interface AddedSubscription {
  readonly arn: string;
  readonly endpointId: string;
  readonly filterPolicies: number;
  /** A warning for the operator, if any. */
  readonly warning: string | undefined;
}

/**
 * Subscribes an endpoint for one application. Until it has confirmed, it gets only the confirmation message.
 *
 * @throws OperatorError when the endpoint is already subscribed, or the topic has no room for another filter policy.
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
  readonly endpoints: Pick<Endpoints, 'ofApplication' | 'save'>;
  readonly clock: Clock;
  /** AWS's quota for this topic. */
  readonly filterPolicyQuota: number;
}): Promise<AddedSubscription> => {
  const applicationId = application.id;
  // A renewed subscription keeps its endpoint's id, so that earlier failures can be sent to it again.
  const known = (await endpoints.ofApplication(applicationId)).find(
    ({ destination }) => destination === order.endpoint,
  );
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
      message: `The topic has ${others.length} filter policies, and the stage's quota is ${filterPolicyQuota}: ask AWS for a higher one, then raise userData.filterPolicyQuota in the stage's configuration.`,
    });
  }
  // Stored before the subscription, so that every delivery is to a known endpoint.
  await endpoints.save({
    applicationId,
    id: endpointId,
    destination: order.endpoint,
    isEnveloped: order.isEnveloped,
    operationTypes: order.operationTypes,
    createdAt: known?.createdAt ?? clock(),
  });
  const arn = await subscriptions.add(subscription);
  const isNearlyFull = filterPolicies >= filterPolicyQuota * warningShare;
  return {
    arn,
    endpointId,
    filterPolicies,
    warning: isNearlyFull
      ? `The topic has ${filterPolicies} of ${filterPolicyQuota} filter policies: ask AWS for more in time.`
      : undefined,
  };
};

/** The subscription that an ARN or an endpoint names. */
export const findSubscription = async (
  subscriptions: Subscriptions,
  named: string,
): Promise<Subscription & { readonly arn: string }> => {
  const found = (await subscriptions.list()).find(({ arn, endpoint }) => arn === named || endpoint === named);
  if (found?.arn !== undefined) return { ...found, arn: found.arn };
  if (found === undefined) throw new OperatorError({ message: `There is no subscription ${named}.` });
  throw new OperatorError({
    message: `${named} was never confirmed. SNS sends it nothing, and removes it by itself after two days.`,
  });
};
