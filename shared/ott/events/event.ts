import type { Address } from '../../chain/hex.ts';
import type { Geoblocking } from '../viewers/geoblocking.ts';
import type { EventAccess, EventStatus, StreamType } from './event-kinds.ts';

/** Times are in UTC with milliseconds, and sort as text. */
export interface Stream {
  readonly type: StreamType;
  readonly url: string;
  /**
   * The URL that signed cookies give access to; it may end in `*`. @default everything in the folder of `url`, or only
   * `url` itself for the type `file`
   */
  readonly signedPath?: string | undefined;
  /** Before this time only a VIP may play. @default no start */
  readonly availableFrom?: string | undefined;
  /** From this time on only a VIP may play. @default no end */
  readonly availableUntil?: string | undefined;
  /** The same as the event's `endsAtInFile`, but for `availableUntil`. */
  readonly availableUntilInFile?: string | undefined;
  /** The stream's own rule. Only the stream call checks it, in addition to the event's `geoblocking`. */
  readonly geoblocking?: Geoblocking | undefined;
}

/** A collection of tickets: a viewer who holds any of its tokens may play the event's stream. */
export interface Ticket {
  readonly contractAddress: Address;
}

/** A status that an event takes by itself. */
export interface ScheduledStatus {
  readonly at: string;
  readonly status: EventStatus;
}

/** A field of a stored event that this release does not know. Only a later release can have written it. */
export interface LaterField {
  /** The names from the event down to the field. A ticket is named by its contract address. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** `geoblocking` and `stream` are never part of a catalogue response. */
export interface Event {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  /**
   * The status at the time of the last write. The present one is `effectiveStatus` of `schedule.ts`, because entries of
   * the schedule may be due since.
   */
  readonly status: EventStatus;
  readonly access: EventAccess;
  readonly startsAt: string;
  readonly endsAt: string | null;
  readonly image: string | null;
  readonly categories: readonly string[];
  readonly geoblocking?: Geoblocking | undefined;
  /** Tickets that give access to a paid stream. @default none: only a purchase gives access */
  readonly tickets?: readonly Ticket[] | undefined;
  readonly stream?: Stream | undefined;
  /** The statuses that the event takes by itself, in the order of their times. @default none */
  readonly schedule?: readonly ScheduledStatus[] | undefined;
  /**
   * The status that the import file had when an operator or the schedule changed the status. Absent if the status is
   * that of the file. As long as later import files still contain this status, the operator's status is kept.
   */
  readonly statusInFile?: EventStatus | undefined;
  /**
   * When an operator has set the status. Entries of the schedule up to then do not count. Absent if there is no
   * schedule, or an entry has been due since for a minute, unless the file has the status CANCELLED.
   */
  readonly statusSetAt?: string | undefined;
  /**
   * The end that the import file had when an operator extended the event. Absent if no operator has extended it. As
   * long as later import files still contain this end, the operator's end is kept.
   */
  readonly endsAtInFile?: string | undefined;
  /** The same as `endsAtInFile`, but for `schedule`, of which an extension moves the entries that end the event. */
  readonly scheduleInFile?: Event['schedule'];
  /** What a later release has stored in the event. Each change of the event keeps it. @default nothing */
  readonly later?: readonly LaterField[] | undefined;
}
