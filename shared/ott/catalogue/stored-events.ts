import { ServiceUnavailableError } from '../../platform/errors.ts';
import type { Event } from '../event.ts';
import type { EventStatus } from '../event-kinds.ts';

import type { Catalogue, StoredEvent } from '../ports/catalogue.ts';
import { EventChangedError, EventIsLiveError, NoSuchEventError } from './errors.ts';

interface Dependencies {
  readonly catalogue: Pick<Catalogue, 'findStored' | 'write'>;
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
 * import file had for it, so importing the same file again does not undo the change.
 *
 * @throws NoSuchEventError, EventChangedError
 */
export const setEventStatus = async (
  { catalogue }: Dependencies,
  { id, status }: { readonly id: string; readonly status: EventStatus },
): Promise<{ readonly event: Event; readonly before: EventStatus }> => {
  const before = await getStored({ catalogue }, { id });
  if (before.event.status === status) return { event: before.event, before: status };
  const { statusInFile = before.event.status, ...rest } = before.event;
  const event: Event = { ...rest, status, ...(statusInFile !== status && { statusInFile }) };
  await writeOne({ catalogue }, { id, change: { before, after: event } });
  return { event, before: before.event.status };
};

/** @throws NoSuchEventError, EventIsLiveError */
export const getDeletable = async (
  dependencies: Dependencies,
  { id }: { readonly id: string },
): Promise<StoredEvent> => {
  const stored = await getStored(dependencies, { id });
  if (stored.event.status !== 'LIVE') return stored;
  throw new EventIsLiveError({ id });
};

/**
 * Deletes an event for good.
 *
 * @throws NoSuchEventError, EventIsLiveError, EventChangedError
 */
export const deleteEvent = async (
  { catalogue }: Dependencies,
  { id }: { readonly id: string },
): Promise<Event> => {
  const before = await getDeletable({ catalogue }, { id });
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
