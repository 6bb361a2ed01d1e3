import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { recorderCodes } from '../../platform/watched.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { EnqueueRedelivery, Redeliveries } from '../ports/redeliveries.ts';
import type { SubscriptionStates } from '../ports/subscription-states.ts';
import type { Ladder } from './redelivery.ts';

export interface RedeliverDueDependencies {
  readonly redeliveries: Pick<Redeliveries, 'due' | 'step' | 'pause'>;
  readonly subscriptions: SubscriptionStates;
  readonly enqueue: EnqueueRedelivery;
  readonly ladder: Ladder;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

const lookAt = async (
  { redeliveries, enqueue, ladder, clock, logger }: RedeliverDueDependencies,
  { applicationId, id, redelivery }: Endpoint,
  { isConfirmed }: { readonly isConfirmed: boolean },
): Promise<void> => {
  const dueAt = redelivery?.nextAt;
  if (redelivery === undefined || dueAt === undefined) return;
  const due = { applicationId, id, dueAt };
  const { attempt, probeId } = redelivery;
  const stepTo = (next: number) =>
    redeliveries.step(due, {
      attempt: next,
      nextAt: clock() + (ladder.steps[next] ?? 0),
      probeId,
    });
  if (probeId !== undefined) await stepTo(attempt);
  else if (attempt >= ladder.steps.length) {
    // Logged before the state is written, so that a crash in between cannot suppress the log line.
    if (isConfirmed) {
      logger.warn('Redelivery is paused', {
        code: recorderCodes.redeliveryPaused,
        count: 1,
        application: applicationId,
        endpoint: id,
      });
    }
    await redeliveries.pause(due);
  } else if (!isConfirmed) await stepTo(attempt + 1);
  else await enqueue(due);
};

/**
 * Looks at each endpoint whose time has come, and queues it for a worker. Takes the next step of the ladder if a probe has
 * no outcome, or the endpoint is not subscribed at present. Two runs at once do what one does.
 */
export const redeliverDue = async (dependencies: RedeliverDueDependencies): Promise<void> => {
  const { redeliveries, subscriptions, clock } = dependencies;
  const due = await redeliveries.due(clock());
  if (due.length === 0) return;
  const states = await subscriptions.ofAll();
  for (const endpoint of due) {
    await lookAt(dependencies, endpoint, { isConfirmed: states.get(endpoint.destination) === 'confirmed' });
  }
};
