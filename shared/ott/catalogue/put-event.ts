import type { Pause } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import { BadRequestError } from '../../platform/errors.ts';
import type { Event } from '../events/event.ts';
import { eventRecord } from '../events/event-record.ts';
import { withTime } from '../events/marks.ts';
import type { Catalogue, EventVersion } from '../ports/catalogue.ts';
import type { TicketHoldings } from '../ports/ticket-holdings.ts';
import type { Signing } from '../streams/signed-path.ts';
import { eventMistakes, issuesOf } from './event-mistakes.ts';
import { changedFields } from './field-changes.ts';
import { requireOwnPath } from './own-path.ts';
import { despiteOthers, type RequireExpected, writeOne } from './stored-events.ts';
import { hasOtherTickets, judgeTickets } from './ticket-mistakes.ts';

export interface PutEventDependencies {
  readonly catalogue: Pick<
    Catalogue,
    'findStored' | 'findAllStored' | 'idsSignedNear' | 'recentPaths' | 'write'
  >;
  readonly holdings: Pick<TicketHoldings, 'notErc721'>;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly newLife: () => string;
}

/**
 * Creates or replaces an event, after the same checks as in an import. Fields that a later release has stored in the
 * event stay. If another writer changes the event meanwhile, the change is tried again. If the event does not change,
 * nothing is written.
 *
 * @throws what `requireExpected` throws, BadRequestError, PathOverlapsError, EventChangedError, ChainUnavailableError,
 * ServiceUnavailableError, also if others move too many paths of the host at the same time. Nothing was changed then, unless a write failed without an answer.
 */
export const putEvent = (
  dependencies: PutEventDependencies,
  {
    event,
    signing,
    requireExpected,
  }: { readonly event: Event; readonly signing: Signing; readonly requireExpected: RequireExpected },
): Promise<{ readonly stored: EventVersion; readonly isCreated: boolean }> => {
  const { catalogue, holdings, clock, newLife } = dependencies;
  return despiteOthers(dependencies, async () => {
    const before = await catalogue.findStored(event.id);
    requireExpected(before);
    const now = clock();
    const after = withTime({ ...event, later: before?.event.later }, before?.event, now);
    const isChanged =
      before === undefined ||
      changedFields(eventRecord(before.event, now), eventRecord(after, now)).length > 0;
    if (!isChanged) return { stored: before, isCreated: false };
    const notErc721 = await judgeTickets(
      { holdings },
      { events: hasOtherTickets(before?.event, after) ? [after] : [] },
    );
    const mistakes = eventMistakes({ before: before?.event, after }, { signing, notErc721 });
    if (mistakes.length > 0) throw new BadRequestError({ issues: issuesOf(mistakes) });
    const change = { before, after, life: before === undefined ? newLife() : before.life };
    const paths = await requireOwnPath(dependencies, { ...change, signing });
    return { stored: await writeOne({ catalogue }, { change, paths }), isCreated: before === undefined };
  });
};
