import { isSubscribed } from '../../../shared/notifications/endpoints/endpoint.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import type { Subscriptions } from './subscription.ts';

export interface RemoveSubscriptionDependencies {
  readonly subscriptions: Pick<Subscriptions, 'remove'>;
  readonly endpoints: Pick<Endpoints, 'ofApplication' | 'remove'>;
  readonly clock: Clock;
}

/** Ends the subscription, if it has an ARN, and then removes its endpoint. Safe to repeat after an interruption. */
export const removeSubscription = async (
  { subscriptions, endpoints, clock }: RemoveSubscriptionDependencies,
  {
    arn,
    destination,
    applicationId,
  }: {
    readonly arn: string | undefined;
    readonly destination: string;
    /** `undefined` for an endpoint that was subscribed without the operator command line. */
    readonly applicationId: string | undefined;
  },
): Promise<void> => {
  if (arn !== undefined) await subscriptions.remove(arn);
  const known = applicationId === undefined ? [] : await endpoints.ofApplication(applicationId);
  for (const endpoint of known.filter((each) => each.destination === destination)) {
    await endpoints.remove({ applicationId: endpoint.applicationId, id: endpoint.id, at: clock() });
  }
};

/**
 * Removes all endpoints of an application, and ends their subscriptions. SNS cannot end a pending subscription. Returns
 * the addresses of those. Safe to repeat after an interruption.
 */
export const removeEndpoints = async (
  {
    subscriptions,
    endpoints,
    clock,
  }: RemoveSubscriptionDependencies & { readonly subscriptions: Pick<Subscriptions, 'list'> },
  applicationId: string,
): Promise<string[]> => {
  const subscribed = await subscriptions.list();
  for (const { arn, applicationId: whose } of subscribed) {
    if (whose === applicationId && arn !== undefined) await subscriptions.remove(arn);
  }
  const live = (await endpoints.ofApplication(applicationId)).filter(isSubscribed);
  for (const { id } of live) await endpoints.remove({ applicationId, id, at: clock() });
  const pending = new Set(
    subscribed.filter(({ state }) => state === 'pending').map(({ endpoint }) => endpoint),
  );
  return live.map(({ destination }) => destination).filter((destination) => pending.has(destination));
};
