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

interface EventFields {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
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
  /** What a later release has stored in the event. Each change of the event keeps it. @default nothing */
  readonly later?: readonly LaterField[] | undefined;
}

/**
 * What somebody has set over the given values of an event (docs/hand.md). A change of a given value deletes what is set
 * over it.
 */
export interface Hand {
  /** `at` is when it was set. Entries of the schedule up to then do not count. */
  readonly status?: { readonly value: EventStatus; readonly at: string } | undefined;
  readonly endsAt?: string | undefined;
  readonly schedule?: readonly ScheduledStatus[] | undefined;
  /** Over `stream.availableUntil`. */
  readonly availableUntil?: string | undefined;
}

/**
 * What a file or an editor has given, and the hand beside it. What holds at a time is `effective` of `effective.ts`.
 */
export interface Event extends EventFields {
  readonly hand: Hand;
}

/** An event as it is at a time: with the values that hold then. */
export interface PresentEvent extends EventFields {
  readonly hand?: undefined;
}
