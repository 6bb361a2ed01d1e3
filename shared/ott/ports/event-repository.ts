import type { Country } from '../countries.ts';
import type { Event, Stream } from '../event.ts';
import type { Shelf } from '../shelves.ts';
import type { SignedPath } from '../signed-path.ts';

export interface ShelfSlice {
  /** Newest start first, without those that their own rules keep from the country asked for. */
  readonly events: readonly Event[];
  /** The place up to which the shelf was read; `undefined` when nothing was. */
  readonly readUpTo: string | undefined;
  /** Events read, those left out too. */
  readonly reads: number;
  /** Whether the shelf may hold more events further down. */
  readonly more: boolean;
}

export interface ShelfRange {
  readonly shelf: Shelf;
  /** Whom to leave out what events' own rules hide. `everywhere` leaves out nothing. */
  readonly country: Country | 'everywhere';
  /** Only events that sort after this place. */
  readonly after?: string | undefined;
  /** Earliest start, inclusive. */
  readonly from?: string | undefined;
  /** Latest start, exclusive. */
  readonly to?: string | undefined;
  /** Events to read at most. */
  readonly limit: number;
}

/** A stream as far as its address and its window go. */
export interface StoredStream {
  readonly eventId: string;
  readonly stream: Stream;
}

export interface EventRepository {
  /** As it stands at the moment of the call, whatever was written just before. */
  find(id: string): Promise<Event | undefined>;
  /**
   * Reads what the other outcome of `find` would have read: nothing after an event, an event after nothing. Whoever answers
   * alike for both awaits it, since the database takes longer for what is there.
   */
  findCounterpart(found: Event | undefined): Promise<void>;
  readShelf(range: ShelfRange): Promise<ShelfSlice>;
  /** The streams that a signature for this path opens; one written a moment ago may be missing. */
  streamsUnder(signed: SignedPath): AsyncIterable<StoredStream>;
}
