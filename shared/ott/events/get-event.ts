import type { Clock } from '../../platform/time/clock.ts';
import { decideEvent, type ShownEvent } from '../decision.ts';
import { CountryUnavailableError, EventNotFoundError } from '../errors.ts';
import type { EventRepository } from '../ports/event-repository.ts';
import { type ResolveAudienceDependencies, resolveAudience } from '../viewers/audience.ts';
import type { Caller } from '../viewers/caller.ts';

export interface GetEventDependencies {
  readonly audience: ResolveAudienceDependencies;
  readonly events: Pick<EventRepository, 'find' | 'findCounterpart'>;
  readonly clock: Clock;
}

/**
 * Missing and hidden events cause the same reads and the same error, so that callers cannot distinguish them.
 * @throws EventNotFoundError, CountryUnavailableError
 */
export const getEvent = async (
  { audience, events, clock }: GetEventDependencies,
  { caller, eventId }: { readonly caller: Caller; readonly eventId: string },
): Promise<ShownEvent> => {
  const [resolved, candidate] = await Promise.all([
    resolveAudience(audience, { caller }),
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
