/**
 * Files and HTTP name the values that hold, and beside them *marks*: what was given where a hand has set something else.
 * Only this file knows the marks. Everything else has the event's hand.
 */
import { isDeepStrictEqual } from 'node:util';
import { dueEntry, effectiveStatus, instantOf, lingerMilliseconds, withValuesThatHold } from './effective.ts';
import type { Event, Hand, PresentEvent } from './event.ts';
import type { EventStatus } from './event-kinds.ts';

type Schedule = NonNullable<Event['schedule']>;

/** The marks of an event. A mark is absent where nothing is set over the given value. */
export interface EventMarks {
  /** The given status, if the event has another one: by hand, or by its schedule. */
  readonly status_in_file?: EventStatus | undefined;
  /** When the status was set by hand. Only of an event with a schedule. */
  readonly status_set_at?: string | undefined;
  readonly ends_at_in_file?: string | undefined;
  readonly schedule_in_file?: Schedule | undefined;
}
export interface StreamMarks {
  readonly available_until_in_file?: string | undefined;
}

/** The time of a hand of which nobody has said when it was set. It is earlier than all others. */
const unknownTime = '';

/** An event as a file or a request has it: `now` holds the values, `marks` what was given. */
interface Marked {
  readonly values: Omit<PresentEvent, 'hand'>;
  readonly marks: EventMarks & StreamMarks;
}

/**
 * Whether a status that is not the given one, and of which no time is known, was set by hand. Of an event with a
 * schedule the schedule has set it, unless it is a `CANCELLED` that no entry of the schedule explains.
 */
const isByHand = ({ status, schedule }: Marked['values']): boolean =>
  schedule === undefined ||
  (status === 'CANCELLED' && schedule.every((entry) => entry.status !== 'CANCELLED'));

const statusIn = ({ values, marks }: Marked): Hand['status'] => {
  const { status: value } = values;
  if (marks.status_set_at !== undefined) return { value, at: marks.status_set_at };
  return marks.status_in_file !== undefined && isByHand(values) ? { value, at: unknownTime } : undefined;
};

/** Reads what was given, and the hand, from values and marks. */
export const unmarked = (marked: Marked): Event => {
  const { values, marks } = marked;
  const { endsAt, schedule, stream } = values;
  const until = stream?.availableUntil;
  const { ends_at_in_file, schedule_in_file, available_until_in_file } = marks;
  return {
    ...values,
    status: marks.status_in_file ?? values.status,
    // A value that is cleared has no hand over it, whatever its mark says.
    endsAt: endsAt === null ? null : (ends_at_in_file ?? endsAt),
    schedule: schedule && (schedule_in_file ?? schedule),
    stream: stream && {
      ...stream,
      availableUntil: until === undefined ? undefined : (available_until_in_file ?? until),
    },
    hand: {
      status: statusIn(marked),
      endsAt: ends_at_in_file === undefined ? undefined : (endsAt ?? undefined),
      schedule: schedule_in_file && schedule,
      availableUntil: available_until_in_file === undefined ? undefined : until,
    },
  };
};

/**
 * Whether an event still says when its status was set by hand, although an entry has ended it. For a reader whose clock
 * is behind, the entry may not be due yet: without the time, earlier entries would count there again. And without the
 * time, the given `CANCELLED` would count again. An entry that cancels the event is no takedown by hand.
 */
const isTimeSaid = (event: Event, now: number): boolean => {
  const due = dueEntry(event, now);
  if (due === undefined) return true;
  return (
    due.status !== 'CANCELLED' &&
    (event.status === 'CANCELLED' || due.at > instantOf(now - lingerMilliseconds))
  );
};

/**
 * Writes the values and the marks of an event at a time, in epoch milliseconds: the inverse of `unmarked`, as far as the
 * hand still decides something.
 */
export const marked = (
  event: Event,
  now: number,
  /** @default the one that the event has at this time */
  status: EventStatus = effectiveStatus(event, now),
): Marked => {
  const { hand, stream } = event;
  const values = withValuesThatHold(event, status);
  const { schedule } = values;
  return {
    values,
    marks: {
      status_in_file: status === event.status ? undefined : event.status,
      status_set_at: schedule && isTimeSaid(event, now) ? hand.status?.at || undefined : undefined,
      ends_at_in_file: hand.endsAt && (event.endsAt ?? undefined),
      schedule_in_file: hand.schedule && event.schedule,
      available_until_in_file: hand.availableUntil && stream?.availableUntil,
    },
  };
};

/**
 * As `marked`, but with the status that the hand has set, or else the given one: an entry decides again wherever it is
 * read.
 */
export const markedForFile = (event: Event, now: number): Marked => {
  const { status } = event.hand;
  const isHandSaid = status !== undefined && (event.status === 'CANCELLED' || isTimeSaid(event, now));
  const { values, marks } = marked(event, now, isHandSaid ? status.value : event.status);
  const setAt = isHandSaid && values.schedule ? status.at || undefined : undefined;
  return { values, marks: { ...marks, status_set_at: setAt } };
};

/**
 * The event of a file with the hand of the stored one, where the file gives the same value as was given before. A hand
 * that only the file has stays, too.
 */
export const withStoredHand = (
  event: Event,
  stored: Event,
  /** Whether the stored hand over the status is taken back. */
  { overwriteStatus }: { readonly overwriteStatus: boolean },
): Event => {
  const { hand, stream } = event;
  const held = stored.hand;
  const isStatusKept = !overwriteStatus && event.status === stored.status;
  const isUntilKept = stream?.availableUntil === stored.stream?.availableUntil;
  return {
    ...event,
    hand: {
      status: (isStatusKept ? held.status : undefined) ?? hand.status,
      endsAt: (event.endsAt === stored.endsAt ? held.endsAt : undefined) ?? hand.endsAt,
      schedule:
        (isDeepStrictEqual(event.schedule, stored.schedule) ? held.schedule : undefined) ?? hand.schedule,
      availableUntil: (isUntilKept ? held.availableUntil : undefined) ?? hand.availableUntil,
    },
  };
};

/** A hand of which no time is known has the time of the same stored one, or this. */
export const withTime = (event: Event, stored: Event | undefined, now: number): Event => {
  const { status } = event.hand;
  if (status === undefined || status.at !== unknownTime) return event;
  const known = stored?.hand.status?.value === status.value ? stored.hand.status.at : instantOf(now);
  return { ...event, hand: { ...event.hand, status: { ...status, at: known } } };
};
