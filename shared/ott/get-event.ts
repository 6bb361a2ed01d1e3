import { type ResolveAudienceDependencies, resolveAudience } from './audience.ts';
import type { Caller } from './caller.ts';
import { decideEvent } from './decision.ts';
import { EventNotFoundError } from './errors.ts';
import type { Event } from './event.ts';
import type { EventRepository } from './ports/event-repository.ts';

export interface GetEventDependencies {
  readonly audience: ResolveAudienceDependencies;
  readonly events: Pick<EventRepository, 'find' | 'findCounterpart'>;
}

/**
 * Missing and hidden events cause the same reads and the same error, so that callers cannot distinguish them.
 * @throws EventNotFoundError
 */
export const getEvent = async (
  { audience, events }: GetEventDependencies,
  { caller, eventId }: { readonly caller: Caller; readonly eventId: string },
): Promise<Event> => {
  const [resolved, candidate] = await Promise.all([
    resolveAudience(audience, { caller }),
    events.find(eventId),
  ]);
  const verdict = decideEvent(candidate, resolved);
  if (verdict.outcome === 'not-found') {
    await events.findCounterpart(candidate);
    throw new EventNotFoundError();
  }
  return verdict.event;
};
