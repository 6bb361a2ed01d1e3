import type { Event, PresentEvent, Stream } from './event.ts';
import type { EventStatus } from './event-kinds.ts';

/** What the status of an event depends on, besides the time. */
type Scheduled = Pick<Event, 'status' | 'schedule' | 'hand'>;
type Schedule = NonNullable<Event['schedule']>;

/** A list uses the same moment for each of its events. */
let lastInstant = { now: 0, text: new Date(0).toISOString() };
export const instantOf = (now: number): string => {
  if (now !== lastInstant.now) lastInstant = { now, text: new Date(now).toISOString() };
  return lastInstant.text;
};

/** The status until an entry that counts is due. */
const baseOf = ({ status, hand }: Scheduled): EventStatus => hand.status?.value ?? status;

/** Whether no entry counts. While the base is `CANCELLED`, none does, because a takedown must not end by itself. */
export const isCancelled = (event: Scheduled): boolean => baseOf(event) === 'CANCELLED';

/** The entries of the schedule that count: those later than the status that was set by hand. */
const entriesThatCount = (event: Scheduled): Schedule => {
  const { hand, schedule = [] } = event;
  if (isCancelled(event)) return [];
  const entries = hand.schedule ?? schedule;
  const { status } = hand;
  return status === undefined ? entries : entries.filter(({ at }) => at > status.at);
};

/** The entry that decides the status. `now` is in epoch milliseconds. */
export const dueEntry = (event: Scheduled, now: number): Schedule[number] | undefined => {
  const instant = instantOf(now);
  return entriesThatCount(event).findLast(({ at }) => at <= instant);
};

/** The entries that count and are not due yet. `now` is in epoch milliseconds. */
export const entriesAhead = (event: Scheduled, now: number): Schedule => {
  const instant = instantOf(now);
  return entriesThatCount(event).filter(({ at }) => at > instant);
};

/** The stream with the window that holds, which does not depend on the time. */
export const effectiveStream = ({ stream, hand }: Pick<Event, 'stream' | 'hand'>): Stream | undefined =>
  stream && hand.availableUntil !== undefined ? { ...stream, availableUntil: hand.availableUntil } : stream;

/** The event with the values that hold beside a status. */
export const withValuesThatHold = (event: Event, status: EventStatus): PresentEvent => {
  const { hand, ...given } = event;
  return {
    ...given,
    status,
    endsAt: hand.endsAt ?? given.endsAt,
    schedule: hand.schedule ?? given.schedule,
    stream: effectiveStream(event),
  };
};

/** The status that an event has at a time, in epoch milliseconds. */
export const effectiveStatus = (event: Scheduled, now: number): EventStatus =>
  dueEntry(event, now)?.status ?? baseOf(event);

/** The event as it is at a time, in epoch milliseconds. */
export const effective = (event: Event, now: number): PresentEvent =>
  withValuesThatHold(event, effectiveStatus(event, now));

/** The event with a status that somebody sets at a time, in epoch milliseconds. */
export const withStatus = (event: Event, value: EventStatus, now: number): Event => ({
  ...event,
  hand: { ...event.hand, status: { value, at: instantOf(now) } },
});

/**
 * How long an event stays in the index of changes after a change, in milliseconds. Each index lags by another time:
 * without this wait, a list could find an event neither among the changes nor with its new status.
 */
export const lingerMilliseconds = 60_000;

/**
 * When the next change of an event's status is due, or was due up to a minute ago. The index of changes has the event
 * under this time. `now` is in epoch milliseconds.
 */
export const changeDue = (event: Scheduled, now: number): string | undefined =>
  entriesAhead(event, now - lingerMilliseconds)[0]?.at;
