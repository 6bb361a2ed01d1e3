import {
  type Endpoint,
  failingNow,
  isFailing,
  isSubscribed,
  withoutCredentials,
} from '../../../shared/notifications/endpoints/endpoint.ts';
import { redeliveryAt } from '../../../shared/notifications/endpoints/list-endpoints.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { Redelivery } from '../../../shared/notifications/redeliver/redelivery.ts';
import type { Clock } from '../../../shared/platform/clock.ts';

/** How many endpoints a customer has, how many fail, and when any of them last accepted a notification. */
export interface CustomerEndpoints {
  readonly application: string;
  readonly endpoints: number;
  readonly failing: number;
  readonly last_success: string | undefined;
}

const time = (milliseconds: number | undefined): string | undefined =>
  milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();

export const endpointRow = (endpoint: Endpoint) => ({
  application: endpoint.applicationId,
  endpoint: withoutCredentials(endpoint.destination),
  form: endpoint.isEnveloped ? 'enveloped' : 'raw',
  last_success: time(endpoint.lastSuccessAt),
  failing_since: time(endpoint.failingSince),
  last_failure: endpoint.lastFailure?.reason,
});

/** An endpoint that has not accepted everything, and when it is sent again. */
const undeliveredRow = (endpoint: Endpoint, { state, since, nextAt }: Redelivery) => ({
  application: endpoint.applicationId,
  endpoint: withoutCredentials(endpoint.destination),
  fails: isFailing(endpoint),
  state,
  since: time(since),
  next_at: time(nextAt),
});

/** Reads the state of all endpoints. The customer whose endpoint has failed for longest comes first. */
export const endpointsNow = async ({
  endpoints,
  clock,
}: {
  readonly endpoints: Pick<Endpoints, 'list'>;
  readonly clock: Clock;
}) => {
  const subscribed = (await endpoints.list()).filter(isSubscribed);
  const failing = failingNow(subscribed).toSorted((a, b) => (a.failingSince ?? 0) - (b.failingSince ?? 0));
  const applications = [...new Set([...failing, ...subscribed].map(({ applicationId }) => applicationId))];
  const customers = applications.map((applicationId): CustomerEndpoints => {
    const own = subscribed.filter((each) => each.applicationId === applicationId);
    const successes = own.map(({ lastSuccessAt }) => lastSuccessAt ?? 0);
    return {
      application: applicationId,
      endpoints: own.length,
      failing: failing.filter((each) => each.applicationId === applicationId).length,
      last_success: time(Math.max(...successes) || undefined),
    };
  });
  const undelivered = subscribed.flatMap((endpoint) => {
    const redelivery = redeliveryAt(endpoint, clock());
    return redelivery === undefined ? [] : [undeliveredRow(endpoint, redelivery)];
  });
  return { customers, failing: failing.map(endpointRow), undelivered };
};
