import type { Endpoint } from '../../../shared/notifications/endpoints/endpoint.ts';
import type { Subscription } from './subscription.ts';

/**
 * Endpoints that are not subscribed any more although the operator did not remove them: their `UnsubscribeURL` was
 * requested, or their subscription was never confirmed.
 */
export const endedOf = (
  endpoints: readonly Endpoint[],
  subscriptions: readonly Pick<Subscription, 'endpoint'>[],
): Endpoint[] =>
  endpoints.filter(
    ({ removedAt, destination }) =>
      removedAt === undefined && !subscriptions.some(({ endpoint }) => endpoint === destination),
  );
