import type { Clock } from '../../platform/clock.ts';
import { ServiceUnavailableError } from '../../platform/errors.ts';
import type { Event } from '../event.ts';
import type { EventStatus } from '../event-kinds.ts';
import type { Catalogue, StoredEvent } from '../ports/catalogue.ts';
import { effectiveStatus, entriesAhead, settled, withStatus } from '../schedule.ts';
import { EventChangedError, EventIsLiveError, NoSuchEventError } from './errors.ts';

interface Dependencies {
  readonly catalogue: Pick<Catalogue, 'findStored' | 'write'>;
}

interface TimedDependencies extends Dependencies {
  readonly clock: Clock;
}

/** @throws NoSuchEventError */
export const getStored = async (
  { catalogue }: Dependencies,
  { id }: { readonly id: string },
): Promise<StoredEvent> => {
  const stored = await catalogue.findStored(id);
  if (stored === undefined) throw new NoSuchEventError({ id });
  return stored;
};

/**
 * Changes only the status of an event. This is safe while an import runs. The event also stores the status that the
 * import file had for it, so importing the same file again does not undo the change. The status counts until the next
 * entry of the event's schedule is due, `CANCELLED` for good.
 *
 * @throws NoSuchEventError, EventChangedError
 */
export const setEventStatus = async (
  { catalogue, clock }: TimedDependencies,
  { id, status }: { readonly id: string; readonly status: EventStatus },
): Promise<{ readonly event: Event; readonly before: EventStatus }> => {
  const stored = await getStored({ catalogue }, { id });
  const now = clock();
  const before = effectiveStatus(stored.event, now);
  const isLasting = status !== 'CANCELLED' || entriesAhead(stored.event, now).length === 0;
  if (before === status && isLasting) return { event: settled(stored.event, now), before };
  const event = withStatus(stored.event, status, now);
  await writeOne({ catalogue }, { id, change: { before: stored, after: event } });
  return { event, before };
};

/** @throws NoSuchEventError, EventIsLiveError */
export const getDeletable = async (
  { clock, ...dependencies }: TimedDependencies,
  { id }: { readonly id: string },
): Promise<StoredEvent> => {
  const stored = await getStored(dependencies, { id });
  if (effectiveStatus(stored.event, clock()) !== 'LIVE') return stored;
  throw new EventIsLiveError({ id });
};

/**
 * Deletes an event for good.
 *
 * @throws NoSuchEventError, EventIsLiveError, EventChangedError
 */
export const deleteEvent = async (
  { catalogue, clock }: TimedDependencies,
  { id }: { readonly id: string },
): Promise<Event> => {
  const before = await getDeletable({ catalogue, clock }, { id });
  await writeOne({ catalogue }, { id, change: { before } });
  return before.event;
};

/** @throws EventChangedError, ServiceUnavailableError if the write failed */
export const writeOne = async (
  { catalogue }: Dependencies,
  { id, change }: { readonly id: string; readonly change: Parameters<Catalogue['write']>[0][number] },
): Promise<void> => {
  const [result] = await catalogue.write([change]);
  if (result?.outcome === 'conflict') throw new EventChangedError({ id });
  if (result?.outcome === 'failed')
    throw new ServiceUnavailableError({ message: `Event ${id}: ${result.reason}` });
};
