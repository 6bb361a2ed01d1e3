import type { Clock } from '../../platform/time/clock.ts';
import { effectiveStatus } from '../events/effective.ts';
import type { Catalogue, StoredEvent } from '../ports/catalogue.ts';
import { EventIsLiveError } from './errors.ts';
import type { PutEventsDependencies } from './put-events.ts';
import { movesNothing, putOne } from './put-one.ts';
import { expected, getStored, type RequireExpected } from './stored-event.ts';

const requireNotLive = ({ event }: StoredEvent, now: number): void => {
  if (effectiveStatus(event, now) === 'LIVE') throw new EventIsLiveError({ id: event.id });
};

/** @throws NoSuchEventError, EventIsLiveError */
export const getDeletable = async (
  { clock, ...dependencies }: { readonly catalogue: Pick<Catalogue, 'findStored'>; readonly clock: Clock },
  { id }: { readonly id: string },
): Promise<StoredEvent> => {
  const stored = await getStored(dependencies, { id });
  requireNotLive(stored, clock());
  return stored;
};

/**
 * Deletes an event for good.
 *
 * @throws NoSuchEventError, EventIsLiveError, EventChangedError
 */
export const deleteEvent = async (
  dependencies: { readonly catalogue: PutEventsDependencies['catalogue']; readonly clock: Clock },
  { id, requireExpected }: { readonly id: string; readonly requireExpected?: RequireExpected },
): Promise<void> => {
  await putOne(
    { ...dependencies, ...movesNothing },
    {
      id,
      decide: (found, now) => {
        const before = expected(id, found, requireExpected);
        requireNotLive(before, now);
        return { told: undefined, change: { before } };
      },
    },
  );
};
