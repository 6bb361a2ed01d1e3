import type { Endpoint } from '../../shared/notifications/endpoint.ts';
import type { Subscription } from './subscription.ts';

/** Endpoints that were not removed and are subscribed no more: who had an `UnsubscribeURL`, or never confirmed. */
export const endedOf = (
  endpoints: readonly Endpoint[],
  subscriptions: readonly Pick<Subscription, 'endpoint'>[],
): Endpoint[] =>
  endpoints.filter(
    ({ removedAt, destination }) =>
      removedAt === undefined && !subscriptions.some(({ endpoint }) => endpoint === destination),
  );
