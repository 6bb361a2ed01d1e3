import type { Clock } from '../../platform/clock.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import type { SubscriptionStates } from '../ports/subscription-states.ts';
import { recordLifetimeMilliseconds } from '../record/record.ts';
import type { Redelivery } from '../redeliver/redelivery.ts';
import { type Endpoint, isSubscribed } from './endpoint.ts';

const dayMilliseconds = 24 * 60 * 60 * 1_000;
/**
 * Failures are counted only up to this number, for which about five megabytes are read. If there are more failures,
 * their exact number does not matter.
 */
const failuresCountedAtMost = 10_000;

export interface EndpointHealth {
  readonly endpoint: Endpoint;
  /** `ended`: the endpoint unsubscribed or did not confirm in time. */
  readonly state: 'pending' | 'confirmed' | 'ended';
  /** Absent if the endpoint has accepted everything of the last 30 days, or is not subscribed any more. */
  readonly redelivery: Redelivery | undefined;
  /** Numbers. `since`: failures in the last 24 hours. `notRedriven`: failures whose messages were not resent. */
  readonly failures: { readonly since: number; readonly notRedriven: number };
}

export interface ListEndpointsDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly records: Pick<NotificationRecords, 'countFailures'>;
  readonly subscriptions: SubscriptionStates;
  readonly clock: Clock;
}

/**
 * The redelivery of an endpoint, as far as something is undelivered. It ends when the records of what is undelivered have
 * expired.
 */
export const redeliveryAt = ({ redelivery }: Endpoint, now: number): Redelivery | undefined =>
  redelivery !== undefined &&
  !redelivery.isAccepted &&
  redelivery.failureNotedAt > now - recordLifetimeMilliseconds
    ? redelivery
    : undefined;

export const listEndpoints = async (
  { endpoints, records, subscriptions, clock }: ListEndpointsDependencies,
  { applicationId }: { readonly applicationId: string },
): Promise<EndpointHealth[]> => {
  const [own, states] = await Promise.all([endpoints.ofApplication(applicationId), subscriptions.ofAll()]);
  const now = clock();
  const since = now - dayMilliseconds;
  return Promise.all(
    own
      .filter(isSubscribed)
      .sort((a, b) => a.createdAt - b.createdAt)
      .map(async (endpoint) => ({
        endpoint,
        state: states.get(endpoint.destination) ?? ('ended' as const),
        redelivery: states.has(endpoint.destination) ? redeliveryAt(endpoint, now) : undefined,
        failures: await records.countFailures({
          destination: endpoint.destination,
          // Another application may have had the address before.
          publishedFrom: endpoint.createdAt,
          since,
          atMost: failuresCountedAtMost,
        }),
      })),
  );
};
