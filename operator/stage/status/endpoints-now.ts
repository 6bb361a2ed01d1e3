import {
  type Endpoint,
  failingNow,
  isFailing,
  isSubscribed,
  withoutCredentials,
} from '../../../shared/notifications/endpoints/endpoint.ts';
import {
  countedAtMost,
  redeliveryAt,
  type ShownRedelivery,
} from '../../../shared/notifications/endpoints/list-endpoints.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { Undelivered } from '../../../shared/notifications/ports/undelivered.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { counted } from '../../platform/terminal/counted.ts';

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

/** How many subjects an endpoint may not have heard of, in words. */
export const subjectsText = (subjects: number): string =>
  subjects < countedAtMost ? counted(subjects, 'subject') : `${countedAtMost} subjects or more`;

/** An endpoint that has not accepted everything, and when it is sent again. */
const undeliveredRow = (endpoint: Endpoint, { state, since, nextAt }: ShownRedelivery, subjects: number) => ({
  application: endpoint.applicationId,
  endpoint: withoutCredentials(endpoint.destination),
  fails: isFailing(endpoint),
  state,
  subjects,
  since: time(since),
  next_at: state === 'paused' ? undefined : time(nextAt),
});

/** Reads the state of all endpoints. The customer whose endpoint has failed for longest comes first. */
export const endpointsNow = async ({
  endpoints,
  undelivered: rows,
  clock,
}: {
  readonly endpoints: Pick<Endpoints, 'list'>;
  readonly undelivered: Pick<Undelivered, 'count'>;
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
  const now = clock();
  const undelivered = await Promise.all(
    subscribed.map(async (endpoint) => {
      const redelivery = redeliveryAt(endpoint, now);
      if (redelivery === undefined) return [];
      const subjects = await rows.count(endpoint, countedAtMost);
      // Everything was accepted, and the end of the redelivery is not stored yet.
      return subjects === 0 ? [] : [undeliveredRow(endpoint, redelivery, subjects)];
    }),
  );
  return { customers, failing: failing.map(endpointRow), undelivered: undelivered.flat() };
};
