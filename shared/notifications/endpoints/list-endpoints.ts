import type { Clock } from '../../platform/time/clock.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import type { SubscriptionStates } from '../ports/subscription-states.ts';
import type { Undelivered } from '../ports/undelivered.ts';
import { recordLifetimeMilliseconds } from '../record/record.ts';
import { type Redelivery, type RedeliveryState, stateOf } from '../redeliver/redelivery.ts';
import { type Endpoint, isFailing, isSubscribed } from './endpoint.ts';

const dayMilliseconds = 24 * 60 * 60 * 1_000;
/**
 * Failures, and what is undelivered, are counted only up to this number, for which about five megabytes are read. If
 * there are more, their exact number does not matter.
 */
export const countedAtMost = 10_000;

export interface EndpointHealth {
  readonly endpoint: Endpoint;
  /** `ended`: the endpoint unsubscribed or did not confirm in time. */
  readonly state: 'pending' | 'confirmed' | 'ended';
  /**
   * Absent if the endpoint has accepted everything of the last 30 days, or is not subscribed any more. `undelivered`:
   * how many subjects it may not have accepted, and failed messages whose subject is not known yet.
   */
  readonly redelivery: (ShownRedelivery & { readonly undelivered: number }) | undefined;
  /** Numbers. `since`: failures in the last 24 hours. `notRedriven`: failures whose messages were not resent. */
  readonly failures: { readonly since: number; readonly notRedriven: number };
}

export interface ListEndpointsDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly records: Pick<NotificationRecords, 'countFailures'>;
  readonly undelivered: Pick<Undelivered, 'count'>;
  readonly subscriptions: SubscriptionStates;
  readonly clock: Clock;
}

export interface ShownRedelivery extends Redelivery {
  readonly state: RedeliveryState;
}

/** The redelivery of an endpoint, as it is told. It ends when the records of what is undelivered have expired. */
export const redeliveryAt = (endpoint: Endpoint, now: number): ShownRedelivery | undefined => {
  const { redelivery } = endpoint;
  if (redelivery === undefined || redelivery.failureNotedAt <= now - recordLifetimeMilliseconds)
    return undefined;
  return { ...redelivery, state: stateOf(redelivery, { isFailing: isFailing(endpoint), now }) };
};

export const listEndpoints = async (
  { endpoints, records, undelivered, subscriptions, clock }: ListEndpointsDependencies,
  { applicationId }: { readonly applicationId: string },
): Promise<EndpointHealth[]> => {
  const [own, states] = await Promise.all([endpoints.ofApplication(applicationId), subscriptions.ofAll()]);
  const now = clock();
  const since = now - dayMilliseconds;
  return Promise.all(
    own
      .filter(isSubscribed)
      .sort((a, b) => a.createdAt - b.createdAt)
      .map(async (endpoint) => {
        const redelivery = states.has(endpoint.destination) ? redeliveryAt(endpoint, now) : undefined;
        const rows = redelivery === undefined ? 0 : await undelivered.count(endpoint, countedAtMost);
        return {
          endpoint,
          state: states.get(endpoint.destination) ?? ('ended' as const),
          // Without a row, it ends at the next look.
          redelivery: redelivery && rows > 0 ? { ...redelivery, undelivered: rows } : undefined,
          failures: await records.countFailures({
            destination: endpoint.destination,
            // Another application may have had the address before.
            publishedFrom: endpoint.createdAt,
            since,
            atMost: countedAtMost,
          }),
        };
      }),
  );
};
