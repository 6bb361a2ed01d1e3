import type { Address } from '../nft/hex.ts';
import type { EventAccess, EventStatus, StreamType } from './event-kinds.ts';
import type { Geoblocking } from './geoblocking.ts';

/** What a player plays, and what protects it. Instants are in UTC with milliseconds, and sort as text. */
export interface Stream {
  readonly type: StreamType;
  readonly url: string;
  /** What signed cookies open: a URL that may end in `*`. @default everything in the folder of `url` */
  readonly signedPath?: string | undefined;
  /** Before it only a VIP may play. @default no start */
  readonly availableFrom?: string | undefined;
  /** From then on only a VIP may play. @default no end */
  readonly availableUntil?: string | undefined;
  /** Checked only for the stream call, in addition to the event's own rule. */
  readonly geoblocking?: Geoblocking | undefined;
}

/** A collection of which any token opens an event's stream to whoever holds it. */
export interface Ticket {
  readonly contractAddress: Address;
}

/** An event of the catalogue. The catalogue calls never show `geoblocking` and `stream`. */
export interface Event {
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
  /** What opens a paid stream as a purchase does. @default only a purchase */
  readonly tickets?: readonly Ticket[] | undefined;
  readonly stream?: Stream | undefined;
  /**
   * For an event whose status was set by hand: the status that its file had then. Files with that status do not change
   * it.
   */
  readonly statusInFile?: EventStatus | undefined;
}
