import type { Pause } from '../../platform/time/backoff.ts';
import type { Event } from '../events/event.ts';
import { eventRecord } from '../events/event-record.ts';
import { withTime } from '../events/marks.ts';
import type { EventVersion } from '../ports/catalogue.ts';
import type { Signing } from '../streams/signed-path.ts';
import { changedFields } from './field-changes.ts';
import type { PutEventsDependencies } from './put-events.ts';
import { despiteOthers, putOne } from './put-one.ts';
import type { RequireExpected } from './stored-event.ts';

export interface PutEventDependencies extends Omit<PutEventsDependencies, 'signing'> {
  readonly pause: Pause;
  readonly newLife: () => string;
}

/**
 * Creates or replaces an event, after the same checks as in an import. Fields that a later release has stored in the
 * event stay. If another writer changes the event meanwhile, the change is tried again. If the event does not change,
 * nothing is written.
 *
 * @throws what `requireExpected` throws, BadRequestError, PathOverlapsError, EventChangedError, ChainUnavailableError,
 * ServiceUnavailableError, also if others move too many paths of the host at the same time. Nothing was changed then,
 * unless a write failed without an answer.
 */
export const putEvent = (
  { newLife, pause, ...dependencies }: PutEventDependencies,
  {
    event,
    signing,
    requireExpected,
  }: { readonly event: Event; readonly signing: Signing; readonly requireExpected: RequireExpected },
): Promise<{ readonly stored: EventVersion; readonly isCreated: boolean }> =>
  despiteOthers({ pause }, async () => {
    const { told: before, stored = before } = await putOne(
      { ...dependencies, signing },
      {
        id: event.id,
        decide: (found, now) => {
          requireExpected(found);
          if (found === undefined) {
            const after = withTime(event, undefined, now);
            return { told: found, change: { after, life: newLife() } };
          }
          const after = withTime({ ...event, later: found.event.later }, found.event, now);
          const fields = changedFields(eventRecord(found.event, now), eventRecord(after, now));
          return { told: found, change: fields.length > 0 ? { before: found, after } : undefined };
        },
      },
    );
    if (stored === undefined) throw new Error('An event that was put is stored');
    return { stored, isCreated: before === undefined };
  });
