import type { Clock } from '../../platform/time/clock.ts';
import { effective, effectiveStatus, entriesAhead, withStatus } from '../events/effective.ts';
import type { PresentEvent } from '../events/event.ts';
import type { EventStatus } from '../events/event-kinds.ts';
import type { EventVersion } from '../ports/catalogue.ts';
import type { PutEventsDependencies } from './put-events.ts';
import { movesNothing, putOne } from './put-one.ts';
import { expected, type RequireExpected } from './stored-event.ts';

interface Dependencies {
  readonly catalogue: PutEventsDependencies['catalogue'];
  readonly clock: Clock;
}

/**
 * Sets the status of an event by hand. This is safe while an import runs: the given status stays, so importing the same
 * file again does not undo the change. The status counts until the next entry of the event's schedule is due,
 * `CANCELLED` for good.
 *
 * @throws NoSuchEventError, EventChangedError
 */
export const setEventStatus = async (
  dependencies: Dependencies,
  {
    id,
    status,
    requireExpected,
  }: { readonly id: string; readonly status: EventStatus; readonly requireExpected?: RequireExpected },
): Promise<{
  readonly event: PresentEvent;
  readonly before: EventStatus;
  readonly stored: EventVersion;
}> => {
  const { told, stored } = await putOne(
    { ...dependencies, ...movesNothing },
    {
      id,
      decide: (found, now) => {
        const before = expected(id, found, requireExpected);
        const { event } = before;
        const present = effectiveStatus(event, now);
        const isLasting = status !== 'CANCELLED' || entriesAhead(event, now).length === 0;
        const isSo = present === status && isLasting;
        const after = isSo ? event : withStatus(event, status, now);
        return {
          told: { event: effective(after, now), before: present, found: before },
          change: isSo ? undefined : { before, after },
        };
      },
    },
  );
  const { found, ...answer } = told;
  return { ...answer, stored: stored ?? found };
};
