import type { Clock } from '../platform/clock.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints } from './ports/endpoints.ts';
import type { NotificationRecords } from './ports/notification-records.ts';
import type { SubscriptionStates } from './ports/subscription-states.ts';

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
  /** Numbers. `since`: failures in the last 24 hours. `notRedriven`: failures whose messages were not resent. */
  readonly failures: { readonly since: number; readonly notRedriven: number };
}

export interface ListEndpointsDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly records: Pick<NotificationRecords, 'countFailures'>;
  readonly subscriptions: SubscriptionStates;
  readonly clock: Clock;
}

export const listEndpoints = async (
  { endpoints, records, subscriptions, clock }: ListEndpointsDependencies,
  { applicationId }: { readonly applicationId: string },
): Promise<EndpointHealth[]> => {
  const [own, states] = await Promise.all([endpoints.ofApplication(applicationId), subscriptions.ofAll()]);
  const since = clock() - dayMilliseconds;
  return Promise.all(
    own
      .filter(({ removedAt }) => removedAt === undefined)
      .sort((a, b) => a.createdAt - b.createdAt)
      .map(async (endpoint) => ({
        endpoint,
        state: states.get(endpoint.destination) ?? ('ended' as const),
        failures: await records.countFailures({
          destination: endpoint.destination,
          since,
          atMost: failuresCountedAtMost,
        }),
      })),
  );
};
