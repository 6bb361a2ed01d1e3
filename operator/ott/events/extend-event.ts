import { NoSuchEventError } from '../../../shared/ott/catalogue/errors.ts';
import type { PutEventsDependencies } from '../../../shared/ott/catalogue/put-events.ts';
import { scheduleContradictions } from '../../../shared/ott/catalogue/schedule-contradictions.ts';
import { putOne } from '../../../shared/ott/catalogue/stored-events.ts';
import { effective, entriesAhead } from '../../../shared/ott/events/effective.ts';
import type { Event, PresentEvent, ScheduledStatus } from '../../../shared/ott/events/event.ts';
import { canBeLive, isOver, playableStatuses } from '../../../shared/ott/events/event-kinds.ts';
import type { StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
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
  { catalogue, clock }: Pick<PutEventsDependencies, 'catalogue' | 'clock'>,
  { id, minutes, signing }: { readonly id: string; readonly minutes: number; readonly signing: Signing },
): Promise<{
  readonly before: Ends;
  readonly after: Ends;
  /** What the schedule still says that the new ends contradict. */
  readonly contradictions: readonly string[];
}> => {
  // The tickets stay as they are. A longer window can overlap with that of another event in the same folder.
  const dependencies = { catalogue, clock, signing, holdings: { notErc721: async () => [] } };
  const { told } = await putOne(dependencies, {
    id,
    decide: (before, now) => {
      if (before === undefined) throw new NoSuchEventError({ id });
      return extended(before, { minutes, now });
    },
  });
  return told;
};

const extended = (
  before: StoredEvent,
  { minutes, now }: { readonly minutes: number; readonly now: number },
) => {
  const event = effective(before.event, now);
  const { id, endsAt, stream, schedule } = event;
  if (isOver(event.status)) {
    throw new OperatorError({
      message: `Event ${id} is ${event.status}, so nobody can play it: set it to ${playableStatuses.join(' or ')} first.`,
    });
  }
  const later = (instant: string) =>
    new Date(Date.parse(instant) + minutes * millisecondsPerMinute).toISOString();
  const until = stream?.availableUntil;
  const isEndMoved = endsAt !== null && event.status !== 'VOD';
  // Entries with which the event goes on are not moved: a kick-off stays where it is.
  const ending = entriesAhead(before.event, now).find(({ status }) => !canBeLive(status));
  if (!isEndMoved && until === undefined && ending === undefined) {
    throw new OperatorError({
      message: `Event ${id} has no end that can be extended: its stream has no available_until${event.status === 'VOD' ? '' : ', the event no ends_at'}, and its schedule no end.`,
    });
  }
  requireAhead({ id, end: until ?? ending?.at ?? endsAt ?? '', minutes, now });
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
  const endsOf = (of: PresentEvent): Ends => ({
    ...(isEndMoved && of.endsAt !== null && { ends_at: of.endsAt }),
    ...(of.stream?.availableUntil !== undefined && { available_until: of.stream.availableUntil }),
    ...(ending !== undefined && of.schedule && { schedule: of.schedule }),
  });
  const told = {
    before: endsOf(event),
    after: endsOf(effective(after, now)),
    contradictions: scheduleContradictions(after, now),
  };
  return { told, change: { before, after } };
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
