import type { Event, Stream } from '../events/event.ts';
import type { IndexPartition } from '../lists/index-partitions.ts';
import type { SignedPath } from '../streams/signed-path.ts';
import type { Country } from '../viewers/countries.ts';

export interface PartitionSlice {
  /** Sorted by start, latest first. Events whose own rule blocks `country` are left out. */
  readonly events: readonly Event[];
  /** The position down to which the partition was read. `undefined` if nothing was read. */
  readonly readUpTo: string | undefined;
  /** How many events were read, including the events left out. */
  readonly reads: number;
  readonly more: boolean;
}

export interface PartitionRange {
  readonly partition: IndexPartition;
  /** Events whose own geoblocking rule blocks this country are left out. With `everywhere` no event is left out. */
  readonly country: Country | 'everywhere';
  readonly after?: string | undefined;
  /** Earliest start, inclusive. */
  readonly from?: string | undefined;
  /** Latest start, exclusive. */
  readonly to?: string | undefined;
  readonly limit: number;
}

export interface StoredStream {
  readonly eventId: string;
  /** `undefined` if a later release has stored something about the event that this one does not know. */
  readonly stream: Stream | undefined;
}

export interface EventRepository {
  /** Strongly consistent. */
  find(id: string): Promise<Event | undefined>;
  /**
   * Reads a missing item if an event was found, and an existing item if the event was missing. DynamoDB takes longer
   * for an existing item. A caller that awaits both reads takes the same time in both cases.
   */
  findCounterpart(found: Event | undefined): Promise<void>;
  readPartition(range: PartitionRange): Promise<PartitionSlice>;
  /**
   * The events for which an entry of the schedule is due at this time, in epoch milliseconds, and whose new status may
   * still be missing in a partition. Events stay in the result for a minute longer than necessary, because partitions
   * lag.
   */
  eventsDue(due: { readonly until: number }): Promise<readonly Event[]>;
  /** The streams to which a signature for this path gives access. A stream written a moment ago may be missing. */
  streamsUnder(signed: SignedPath): AsyncIterable<StoredStream>;
}
