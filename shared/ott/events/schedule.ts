import type { Event } from './event.ts';
import type { EventStatus } from './event-kinds.ts';

/** What the status of an event depends on, besides the time. */
type Scheduled = Pick<Event, 'status' | 'statusInFile' | 'statusSetAt' | 'schedule'>;
type Schedule = NonNullable<Event['schedule']>;

/** The status that the last import gave, whatever an operator or the schedule have made of it since. */
export const statusInFileOf = ({ status, statusInFile = status }: Scheduled): EventStatus => statusInFile;

/**
 * Whether an event was cancelled without storing when: by an earlier release, which does not know schedules, or by an
 * editor who took away the entry that had cancelled it.
 */
const isTakenDown = ({ status, schedule = [] }: Scheduled): boolean =>
  status === 'CANCELLED' && schedule.every((entry) => entry.status !== 'CANCELLED');

/**
 * Whether the stored status is one that an operator has set, and that no entry of the schedule has ended, or only within
 * the last minute. If an operator has set another status than the CANCELLED of the file, the event counts as set by hand
 * until the file changes, although entries have changed its status since.
 */
export const isSetByHand = (event: Scheduled): boolean => {
  const { schedule, statusInFile, statusSetAt } = event;
  if (schedule === undefined) return statusInFile !== undefined;
  return statusSetAt !== undefined || (statusInFile !== undefined && isTakenDown(event));
};

/** The status until the first entry that counts is due. */
const statusBeforeEntries = (event: Scheduled): EventStatus => {
  const { status, statusSetAt, schedule } = event;
  if (schedule === undefined || statusSetAt !== undefined) return status;
  return isTakenDown(event) ? status : statusInFileOf(event);
};

/**
 * The entries of the schedule that apply: those later than the status that an operator has set. Of an event
 * that is cancelled no entry counts, because a takedown must not end by itself.
 */
const entriesThatCount = (event: Scheduled): Schedule => {
  const { schedule = [], statusSetAt } = event;
  if (statusBeforeEntries(event) === 'CANCELLED') return [];
  return statusSetAt === undefined ? schedule : schedule.filter(({ at }) => at > statusSetAt);
};

/** A list uses the same moment for each of its events. */
let lastInstant = { now: 0, text: new Date(0).toISOString() };
const instantOf = (now: number): string => {
  if (now !== lastInstant.now) lastInstant = { now, text: new Date(now).toISOString() };
  return lastInstant.text;
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

/**
 * How long an event stays in the index of changes after a change, in milliseconds. Each index lags by another time:
 * without this wait, a list could find an event neither among the changes nor with its new status.
 */
const lingerMilliseconds = 60_000;

/**
 * When the next change of an event's status is due, or was due up to a minute ago. The index of changes has the event
 * under this time. `now` is in epoch milliseconds.
 */
export const changeDue = (event: Scheduled, now: number): string | undefined =>
  entriesAhead(event, now - lingerMilliseconds)[0]?.at;

/**
 * The status of an event at a time: that of the last entry of its schedule that is due, otherwise the one that it has
 * without its schedule. The stored status may be older. `now` is in epoch milliseconds.
 */
export const effectiveStatus = (event: Scheduled, now: number): EventStatus =>
  dueEntry(event, now)?.status ?? statusBeforeEntries(event);

/**
 * Whether an event still says when its status was set by hand, although an entry has ended that status. For a writer
 * whose clock is behind, the entry may not be due yet: without the time, earlier entries would count there again. And
 * without the time, the CANCELLED of the file would count again. An entry that cancels the event is no takedown by hand.
 */
const isHandRemembered = (
  { due, inFile }: { readonly due: Schedule[number]; readonly inFile: EventStatus },
  now: number,
): boolean =>
  due.status !== 'CANCELLED' && (inFile === 'CANCELLED' || due.at > instantOf(now - lingerMilliseconds));

/**
 * An event as it is stored at this time: with the status that it has then, and the same object if that is stored. The
 * status of the file stays known, so that the next import of the same file finds nothing to change. `now` is in epoch
 * milliseconds.
 */
export const settled = (event: Event, now: number): Event => {
  if (event.schedule === undefined) {
    return event.statusSetAt === undefined ? event : { ...event, statusSetAt: undefined };
  }
  const due = dueEntry(event, now);
  const status = due?.status ?? statusBeforeEntries(event);
  const inFile = statusInFileOf(event);
  const statusInFile = inFile === status ? undefined : inFile;
  const isForgotten =
    due !== undefined && event.statusSetAt !== undefined && !isHandRemembered({ due, inFile }, now);
  const statusSetAt = isForgotten ? undefined : event.statusSetAt;
  const isSettled =
    status === event.status && statusInFile === event.statusInFile && statusSetAt === event.statusSetAt;
  return isSettled ? event : { ...event, status, statusInFile, statusSetAt };
};

/**
 * An event with the status that its file would have: without the one that the schedule has given it. `now` is in epoch
 * milliseconds.
 */
export const asInFile = (event: Event, now: number): Event => {
  const whole = settled(event, now);
  if (event.schedule === undefined || isSetByHand(whole)) return whole;
  const { statusInFile, ...present } = whole;
  return { ...present, status: statusInFile ?? present.status };
};

/**
 * The event with a status that somebody sets now. It counts until the next entry is due, `CANCELLED` for good. `now` is in
 * epoch milliseconds.
 */
export const withStatus = (event: Event, status: EventStatus, now: number): Event => {
  const { statusInFile, statusSetAt, ...rest } = event;
  const inFile = statusInFileOf(event);
  return {
    ...rest,
    status,
    ...(inFile !== status && { statusInFile: inFile }),
    ...(event.schedule && { statusSetAt: instantOf(now) }),
  };
};
