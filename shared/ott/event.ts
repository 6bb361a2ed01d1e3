import type { EventAccess, EventStatus, StreamType } from './event-kinds.ts';
import type { Geoblocking } from './geoblocking.ts';

/** What a player plays, and what keeps it from others. Moments are in UTC with milliseconds, and sort as text. */
export interface Stream {
  readonly type: StreamType;
  readonly url: string;
  /**
   * What signed cookies open: a URL that may end in `*`.
   * @default everything in the folder of `url`
   */
  readonly signedPath?: string | undefined;
  /** Before it nobody but a VIP plays. @default from the first */
  readonly availableFrom?: string | undefined;
  /** From then on nobody but a VIP plays. @default for ever */
  readonly availableUntil?: string | undefined;
  /** Asked on the stream call only, besides the event's own rule. */
  readonly geoblocking?: Geoblocking | undefined;
}

/** An event of the catalogue. `geoblocking` and `stream` never leave by the catalogue calls. */
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
  readonly stream?: Stream | undefined;
  /**
   * Of an event whose status was set by hand: the status that it had of its file. Files that still say so leave
   * the status alone.
   */
  readonly statusInFile?: EventStatus | undefined;
}
