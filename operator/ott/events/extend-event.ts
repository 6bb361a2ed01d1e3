import { requireOwnPath } from '../../../shared/ott/catalogue/own-path.ts';
import { scheduleContradictions } from '../../../shared/ott/catalogue/schedule-contradictions.ts';
import { getStored, writeOne } from '../../../shared/ott/catalogue/stored-events.ts';
import { effective, entriesAhead } from '../../../shared/ott/events/effective.ts';
import type { Event, PresentEvent, ScheduledStatus } from '../../../shared/ott/events/event.ts';
import { canBeLive, isOver, playableStatuses } from '../../../shared/ott/events/event-kinds.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import { counted } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

const millisecondsPerMinute = 60_000;

/** The ends of an event, ISO 8601. An end that the event does not have, or that is not moved, is left out. */
export interface Ends {
  readonly ends_at?: string;
  readonly available_until?: string;
  readonly schedule?: readonly ScheduledStatus[];
}

/**
 * Moves the ends of an event: `available_until` of its stream, `ends_at` unless the event is a recording, and the entries
 * to come of its schedule from the one that ends it. The given ends stay, so importing the same file again does not set
 * them back.
 *
 * @throws OperatorError when the event does not exist, is over, has no end, would still have ended, would be opened by
 * another event's signature (or the other way round), or changed in the meantime. Nothing is written then.
 */
export const extendEvent = async (
  { catalogue, clock }: { readonly catalogue: Catalogue; readonly clock: Clock },
  { id, minutes, signing }: { readonly id: string; readonly minutes: number; readonly signing: Signing },
): Promise<{
  readonly before: Ends;
  readonly after: Ends;
  /** What the schedule still says that the new ends contradict. */
  readonly contradictions: readonly string[];
}> => {
  const before = await getStored({ catalogue }, { id });
  const now = clock();
  const event = effective(before.event, now);
  if (isOver(event.status)) {
    throw new OperatorError({
      message: `Event ${id} is ${event.status}, so nobody can play it: set it to ${playableStatuses.join(' or ')} first.`,
    });
  }
  const later = (instant: string) =>
    new Date(Date.parse(instant) + minutes * millisecondsPerMinute).toISOString();
  const { endsAt, stream, schedule } = event;
  const until = stream?.availableUntil;
  const isEndMoved = endsAt !== null && event.status !== 'VOD';
  // Entries with which the event goes on are not moved: a kick-off stays where it is.
  const ending = entriesAhead(before.event, now).find(({ status }) => !canBeLive(status));
  if (!isEndMoved && until === undefined && ending === undefined) {
    throw new OperatorError({
      message: `Event ${id} has no end that can be extended: its stream has no available_until${event.status === 'VOD' ? '' : ', the event no ends_at'}, and its schedule no end.`,
    });
  }
  const after: Event = {
    ...before.event,
    hand: {
      ...before.event.hand,
      ...(isEndMoved && { endsAt: later(endsAt) }),
      ...(ending !== undefined && {
        schedule: schedule?.map((entry) =>
          entry.at < ending.at ? entry : { ...entry, at: later(entry.at) },
        ),
      }),
      ...(until !== undefined && { availableUntil: later(until) }),
    },
  };
  requireAhead({ id, end: until ?? ending?.at ?? endsAt ?? '', minutes, now });
  // A longer window can overlap with that of another event whose stream lies in the same folder.
  const change = { before, after };
  const paths = await requireOwnPath({ catalogue, clock }, { ...change, signing });
  await writeOne({ catalogue }, { change, paths });
  const endsOf = (of: PresentEvent): Ends => ({
    ...(isEndMoved && of.endsAt !== null && { ends_at: of.endsAt }),
    ...(of.stream?.availableUntil !== undefined && { available_until: of.stream.availableUntil }),
    ...(ending !== undefined && of.schedule && { schedule: of.schedule }),
  });
  return {
    before: endsOf(event),
    after: endsOf(effective(after, now)),
    contradictions: scheduleContradictions(after, now),
  };
};

/** An end that stays in the past lets nobody play: the operator has overlooked how late it is. */
const requireAhead = ({
  id,
  end,
  minutes,
  now,
}: {
  readonly id: string;
  readonly end: string;
  readonly minutes: number;
  readonly now: number;
}): void => {
  const least = Math.floor((now - Date.parse(end)) / millisecondsPerMinute) + 1;
  if (minutes >= least) return;
  throw new OperatorError({
    message: `Event ${id} ended at ${end}. With ${counted(minutes, 'more minute')} its end would still have passed: extend it by at least ${least}.`,
  });
};
