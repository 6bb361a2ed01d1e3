import type { Clock } from '../../platform/time/clock.ts';
import type { EnqueueRedelivery, Redeliveries } from '../ports/redeliveries.ts';
import type { SubscriptionStates } from '../ports/subscription-states.ts';
import { lookAgainAfter } from './ladder-settings.ts';

export interface RedeliverDueDependencies {
  readonly redeliveries: Pick<Redeliveries, 'due' | 'lookAgain'>;
  readonly subscriptions: SubscriptionStates;
  readonly enqueue: EnqueueRedelivery;
  readonly clock: Clock;
}

/** Queues each endpoint whose time has come for a worker. Two runs at once do what one does. */
export const redeliverDue = async ({
  redeliveries,
  subscriptions,
  enqueue,
  clock,
}: RedeliverDueDependencies): Promise<void> => {
  const due = await redeliveries.due(clock());
  if (due.length === 0) return;
  const states = await subscriptions.ofAll();
  for (const { applicationId, id, destination } of due) {
    const key = { applicationId, id };
    if (states.get(destination) === 'confirmed') {
      await redeliveries.lookAgain(key, { at: clock() + lookAgainAfter.worker });
      await enqueue(key);
    } else await redeliveries.lookAgain(key, { at: clock() + lookAgainAfter.unsubscribed });
  }
};
