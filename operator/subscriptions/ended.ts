import type { Endpoint } from '../../shared/notifications/endpoint.ts';
import type { Subscription } from './subscription.ts';

/**
 * Endpoints that nobody removed but that are no longer subscribed: somebody used an `UnsubscribeURL`, or nobody
 * confirmed.
 */
export const endedOf = (
  endpoints: readonly Endpoint[],
  subscriptions: readonly Pick<Subscription, 'endpoint'>[],
): Endpoint[] =>
  endpoints.filter(
    ({ removedAt, destination }) =>
      removedAt === undefined && !subscriptions.some(({ endpoint }) => endpoint === destination),
  );
