import type { Clock } from '../../platform/time/clock.ts';
import { decideEvent, type ShownEvent } from '../decision.ts';
import { CountryUnavailableError, EventNotFoundError } from '../errors.ts';
import type { EventRepository } from '../ports/event-repository.ts';
import type { Caller } from '../viewers/caller.ts';
import { type ResolveContextDependencies, resolveContext } from '../viewers/viewer-context.ts';

export interface GetEventDependencies {
  readonly context: ResolveContextDependencies;
  readonly events: Pick<EventRepository, 'find' | 'findCounterpart'>;
  readonly clock: Clock;
}

/**
 * Missing and hidden events cause the same reads and the same error, so that callers cannot distinguish them.
 * @throws EventNotFoundError, CountryUnavailableError
 */
export const getEvent = async (
  { context, events, clock }: GetEventDependencies,
  { caller, eventId }: { readonly caller: Caller; readonly eventId: string },
): Promise<ShownEvent> => {
  const [resolved, candidate] = await Promise.all([
    resolveContext(context, { caller }),
    events.find(eventId),
  ]);
  const verdict = decideEvent(candidate, resolved, { now: clock() });
  if (verdict.outcome === 'country-unavailable') throw new CountryUnavailableError();
  if (verdict.outcome === 'not-found') {
    await events.findCounterpart(candidate);
    throw new EventNotFoundError();
  }
  return verdict;
};
