import type { Country } from '../countries.ts';
import type { Event, Stream } from '../event.ts';
import type { IndexPartition } from '../index-partitions.ts';
import type { SignedPath } from '../signed-path.ts';

export interface PartitionSlice {
  /** Newest start first, without events that their own rules block in the given country. */
  readonly events: readonly Event[];
  /** The position to which the partition was read; `undefined` when nothing was read. */
  readonly readUpTo: string | undefined;
  /** Events read, including those left out. */
  readonly reads: number;
  /** Whether the partition may hold more events. */
  readonly more: boolean;
}

export interface PartitionRange {
  readonly partition: IndexPartition;
  /** The country for which events' own rules hide them. `everywhere` hides nothing. */
  readonly country: Country | 'everywhere';
  /** Only events that sort after this position. */
  readonly after?: string | undefined;
  /** Earliest start, inclusive. */
  readonly from?: string | undefined;
  /** Latest start, exclusive. */
  readonly to?: string | undefined;
  /** Most events to read. */
  readonly limit: number;
}

/** A stream's address and window. */
export interface StoredStream {
  readonly eventId: string;
  readonly stream: Stream;
}

export interface EventRepository {
  /** Its current state, including writes from just before. */
  find(id: string): Promise<Event | undefined>;
  /**
   * Makes the read that the other outcome of `find` would have made: none after an event, an event after none. Callers
   * that answer alike for both await it, because the database takes longer for an existing item.
   */
  findCounterpart(found: Event | undefined): Promise<void>;
  readPartition(range: PartitionRange): Promise<PartitionSlice>;
  /** The streams that a signature for this path opens; one written a moment ago may be missing. */
  streamsUnder(signed: SignedPath): AsyncIterable<StoredStream>;
}
