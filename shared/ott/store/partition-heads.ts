import { newCache } from '../../platform/cache.ts';
import { type Clock, systemClock } from '../../platform/time/clock.ts';
import type { Event } from '../events/event.ts';
import { type IndexPartition, placeOf } from '../lists/index-partitions.ts';
import type { EventRepository, PartitionRange, PartitionSlice } from '../ports/event-repository.ts';
import { ruleBlocks } from '../viewers/geoblocking.ts';

/**
 * How long a remembered head of a partition, and the remembered events that are due, may be used, counted from the start
 * of the read. A list may lack changes by writers that are younger than this.
 */
const defaultLifetimeMilliseconds = 2_000;

/**
 * The number of events in a head. A page merges several index partitions and rarely needs more events of any one of
 * them.
 */
const headSize = 100;

/** The maximum number of cached heads. Each requested category has partitions, and therefore heads, of its own. */
const capacity = 200;

/**
 * Caches the head of each index partition: its first events, with which every list begins. A head is the same for all
 * callers. Events that are hidden by their own geoblocking rule are filtered out for each request. The events that are
 * due are cached too, and read as much further ahead as they may be used, so that none that becomes due meanwhile is
 * missing. Failed reads are not cached, and expired heads are not used.
 */
export const withPartitionHeads = (
  events: Pick<EventRepository, 'readPartition' | 'eventsDue'>,
  {
    clock = systemClock,
    lifetimeMilliseconds = defaultLifetimeMilliseconds,
  }: { readonly clock?: Clock; readonly lifetimeMilliseconds?: number } = {},
): Pick<EventRepository, 'readPartition' | 'eventsDue'> => {
  // A head is never changed, so concurrent requests share one read.
  const heads = newCache<Promise<Head>>({ capacity, lifetimeMilliseconds, clock });
  const due = newCache<Promise<readonly Event[]>>({ capacity: 1, lifetimeMilliseconds, clock });

  const readHead = (partition: IndexPartition): Promise<Head> => {
    const key = keyOf(partition);
    const head = events.readPartition({ partition, country: 'everywhere', limit: headSize }).then(headOf);
    heads.set(key, head);
    head.catch(() => {
      if (heads.get(key) === head) heads.delete(key);
    });
    return head;
  };

  /**
   * For the first page of a list, reads the head if it is not cached. A later page usually contains events that are not
   * in the head, so reading the head for it would rarely help.
   */
  const headFor = ({ partition, after }: PartitionRange): Promise<Head> | undefined =>
    heads.get(keyOf(partition)) ?? (after === undefined ? readHead(partition) : undefined);

  const readDue = (until: number): Promise<readonly Event[]> => {
    const read = events.eventsDue({ until: until + lifetimeMilliseconds });
    due.set('', read);
    read.catch(() => {
      if (due.get('') === read) due.delete('');
    });
    return read;
  };

  return {
    // Events that are due later do no harm to a list, because their status is that of the list's own time.
    eventsDue: ({ until }) => due.get('') ?? readDue(until),

    readPartition: async (range) => {
      // With `to`, a list begins with events that are usually not in the head, so the head is not used.
      const head = range.to === undefined ? await headFor(range) : undefined;
      return (head && withinHead(head, range)) ?? events.readPartition(range);
    },
  };
};

interface Head {
  /** Sorted by start, latest first. */
  readonly placed: readonly { readonly event: Event; readonly place: string }[];
  readonly more: boolean;
}

const keyOf = ({ status, access, part, category = '' }: IndexPartition): string =>
  [status, access, part, category].join('#');

const headOf = ({ events, more }: PartitionSlice): Head => ({
  placed: events.map((event) => ({ event, place: placeOf(event) })),
  more,
});

const withinHead = (
  { placed, more }: Head,
  { partition: { status }, after, from, limit, country }: PartitionRange,
): PartitionSlice | undefined => {
  const isEarlier = ({ event }: Head['placed'][number]): boolean =>
    from !== undefined && event.startsAt < from;
  const inRange = placed.filter((each) => !isEarlier(each) && (after === undefined || each.place < after));
  const oldest = placed.at(-1);
  const isWhole = !more || (oldest !== undefined && isEarlier(oldest));
  const taken = inRange.slice(0, limit);
  if (taken.length < limit && !isWhole) return undefined;
  return {
    events: taken
      .map(({ event }) => event)
      .filter(
        ({ geoblocking }) => country === 'everywhere' || !ruleBlocks({ rule: geoblocking, status, country }),
      ),
    readUpTo: taken.at(-1)?.place,
    reads: taken.length,
    more: taken.length < inRange.length || !isWhole,
  };
};
