import type { Event } from '../../../shared/ott/event.ts';
import type { EventStatus } from '../../../shared/ott/event-kinds.ts';
import type { Catalogue, StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

interface Dependencies {
  readonly catalogue: Pick<Catalogue, 'findStored' | 'write'>;
}

/** @throws OperatorError when the event does not exist. */
export const getStored = async (
  { catalogue }: Dependencies,
  { id }: { readonly id: string },
): Promise<StoredEvent> => {
  const stored = await catalogue.findStored(id);
  if (stored === undefined) throw new OperatorError({ message: `There is no event ${id}.` });
  return stored;
};

/**
 * Changes only the status of an event. This is safe while an import runs. The event also stores the status that the
 * import file had for it, so importing the same file again does not undo the change.
 *
 * @throws OperatorError when the event does not exist, or changed in the meantime.
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

/** @throws OperatorError when the event does not exist, or is LIVE. */
export const getDeletable = async (
  dependencies: Dependencies,
  { id }: { readonly id: string },
): Promise<StoredEvent> => {
  const stored = await getStored(dependencies, { id });
  if (stored.event.status !== 'LIVE') return stored;
  throw new OperatorError({
    message: `Event ${id} is LIVE and cannot be deleted: set another status first.`,
  });
};

/**
 * Deletes an event for good.
 *
 * @throws OperatorError as `getDeletable` does, or when the event changed in the meantime.
 */
export const deleteEvent = async (
  { catalogue }: Dependencies,
  { id }: { readonly id: string },
): Promise<Event> => {
  const before = await getDeletable({ catalogue }, { id });
  await writeOne({ catalogue }, { id, change: { before } });
  return before.event;
};

/** @throws OperatorError when the event changed in the meantime, or the write failed. */
export const writeOne = async (
  { catalogue }: Dependencies,
  { id, change }: { readonly id: string; readonly change: Parameters<Catalogue['write']>[0][number] },
): Promise<void> => {
  const [result] = await catalogue.write([change]);
  if (result?.outcome === 'conflict') {
    throw new OperatorError({ message: `Somebody else changed event ${id} at the same time; try again.` });
  }
  if (result?.outcome === 'failed') throw new OperatorError({ message: `Event ${id}: ${result.reason}` });
};
