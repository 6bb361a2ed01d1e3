import { effective, entriesAhead } from '../events/effective.ts';
import type { Event, PresentEvent, ScheduledStatus } from '../events/event.ts';
import { canBeLive, type EventStatus, isOver } from '../events/event-kinds.ts';
import { scheduleContradictions } from './schedule-contradictions.ts';

const millisecondsPerMinute = 60_000;

/** The ends of an event, ISO 8601. An end that the event does not have, or that is not moved, is left out. */
export interface Ends {
  readonly ends_at?: string;
  readonly available_until?: string;
  readonly schedule?: readonly ScheduledStatus[];
}

export type Extended =
  | {
      readonly outcome: 'extended';
      readonly event: Event;
      readonly before: Ends;
      readonly after: Ends;
      /** What the schedule still says that the new ends contradict. */
      readonly contradictions: readonly string[];
    }
  /** Nobody can play the event any more. */
  | { readonly outcome: 'over'; readonly status: EventStatus }
  | { readonly outcome: 'no-end'; readonly status: EventStatus }
  /** The moved end would still have passed, so nobody could play. It has to be moved by at least `least` minutes. */
  | { readonly outcome: 'still-passed'; readonly end: string; readonly least: number };

/**
 * Moves the ends of an event by hand: `available_until` of its stream, `ends_at` unless the event is a recording, and the
 * entries to come of its schedule from the one that ends it. The given ends stay. `now` is in epoch milliseconds.
 */
export const extendedEvent = (
  given: Event,
  { minutes, now }: { readonly minutes: number; readonly now: number },
): Extended => {
  const present = effective(given, now);
  const { endsAt, stream, schedule, status } = present;
  if (isOver(status)) return { outcome: 'over', status };
  const later = (instant: string) =>
    new Date(Date.parse(instant) + minutes * millisecondsPerMinute).toISOString();
  const until = stream?.availableUntil;
  const isEndMoved = endsAt !== null && status !== 'VOD';
  // Entries with which the event goes on are not moved: a kick-off stays where it is.
  const ending = entriesAhead(given, now).find((entry) => !canBeLive(entry.status));
  if (!isEndMoved && until === undefined && ending === undefined) return { outcome: 'no-end', status };
  const end = until ?? ending?.at ?? endsAt ?? '';
  const least = Math.floor((now - Date.parse(end)) / millisecondsPerMinute) + 1;
  if (minutes < least) return { outcome: 'still-passed', end, least };
  const event: Event = {
    ...given,
    hand: {
      ...given.hand,
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
  return {
    outcome: 'extended',
    event,
    before: endsOf(present),
    after: endsOf(effective(event, now)),
    contradictions: scheduleContradictions(event, now),
  };
};
