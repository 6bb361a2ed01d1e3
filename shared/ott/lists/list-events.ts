import type { Clock } from '../../platform/time/clock.ts';
import { decideEvent, type ShownEvent } from '../decision.ts';
import type { Event, PresentEvent } from '../events/event.ts';
import type { EventAccess, EventStatus } from '../events/event-kinds.ts';
import type { EventRepository } from '../ports/event-repository.ts';
import type { Country } from '../viewers/countries.ts';
import type { ViewerContext } from '../viewers/viewer-context.ts';
import { type IndexPartition, partitionsFor, placeOf } from './index-partitions.ts';

export interface EventFilters {
  readonly status?: EventStatus | undefined;
  readonly access?: EventAccess | undefined;
  readonly category?: string | undefined;
  /** Earliest start, inclusive. */
  readonly from?: string | undefined;
  /** Latest start, exclusive. */
  readonly to?: string | undefined;
}

export interface EventPage {
  readonly events: readonly ShownEvent[];
  /** The position after which the list continues. `undefined` if no visible event is left. */
  readonly next: string | undefined;
}

/**
 * When this many events have been read, the page ends, even with fewer than `limit` events. This happens only if very
 * many events in a row are read but not listed. Such an event is hidden by its own geoblocking rule, or has none of the
 * categories that the application's rules show.
 */
const defaultReadBudget = 2_000;

/**
 * How long the reads of one list may take, in milliseconds: as long as API Gateway waits for an answer. Meanwhile an
 * event may move between partitions, from one that is not read yet to one that was read. So the events that become due
 * within this time are read as well.
 */
const longestReadMilliseconds = 29_000;

const smallestSlice = 10;
/**
 * The minimum number of events in one read of a partition, for a list with `from` or `to`. It is so high that one read
 * covers a narrow time range. If hidden events made a second read necessary, the slower response would reveal them.
 */
const windowSlice = 100;
const largestSlice = 500;

/** Sorts after every position, because positions begin with a digit. */
const aboveAll = ':';

/** An event with its position. The position is computed only once, because the merge compares it many times. */
interface Placed {
  readonly event: Event;
  readonly place: string;
}

/** Events in the order of their positions, of which the first ones are read. */
interface OpenRange {
  buffer: Placed[];
  more: boolean;
  readUpTo: string;
}

interface OpenPartition extends OpenRange {
  readonly partition: IndexPartition;
}

export interface ListEventsDependencies {
  readonly events: Pick<EventRepository, 'readPartition' | 'eventsDue'>;
  readonly clock: Clock;
}

/**
 * One page of the events that a viewer in this context may see, merged from index partitions and sorted by start, latest
 * first.
 *
 * `next` is set only if another visible event was found. So neither `next` nor the number of events reveals hidden
 * events. The exception is a page that used up its read budget: it may be short and still have a `next`.
 *
 * In the partitions, an event has the status that was stored last. So the events for which an entry of the schedule is
 * due, or soon will be, are read as well, and replace what the partitions contain of these events. Their status is that
 * of the list's own time.
 */
export const listEvents = async (
  { events, clock }: ListEventsDependencies,
  {
    context,
    filters,
    limit,
    after,
    readBudget = defaultReadBudget,
  }: {
    readonly context: ViewerContext;
    readonly filters: EventFilters;
    readonly limit: number;
    readonly after?: string | undefined;
    /** @default 2_000 */
    readonly readBudget?: number | undefined;
  },
): Promise<EventPage> => {
  const open: OpenPartition[] = partitionsFor(context, filters).map((partition) => ({
    partition,
    buffer: [],
    more: true,
    readUpTo: after ?? aboveAll,
  }));
  if (open.length === 0) return { events: [], next: undefined };
  const now = clock();
  const page: { readonly shown: ShownEvent; readonly place: string }[] = [];
  const pageUpTo = (next: string | undefined): EventPage => ({
    events: page.map(({ shown }) => shown),
    next,
  });
  const refillWith = (count: number) =>
    refill({ events }, { filters, country: context.country, open, count, after });
  const [due, firstReads] = await Promise.all([
    events.eventsDue({ until: now + longestReadMilliseconds }),
    refillWith(Math.min(limit + 1, readBudget)),
  ]);
  const dueEvents = new Map(due.map((event) => [event.id, event]));
  const ranges: readonly OpenRange[] = [rangeOf(due, { filters, after }), ...open];
  let reads = firstReads;
  let lastSeen = after;
  for (;;) {
    const horizon = horizonOf(open);
    const newest = takeNewest(ranges, horizon);
    if (newest === undefined) {
      if (horizon === undefined) return pageUpTo(undefined);
      if (reads >= readBudget) return pageUpTo(horizon);
      const expected = ((limit + 1 - page.length) * Math.max(1, reads)) / Math.max(1, page.length);
      // `expected` is unreliable until enough events have been read. So no refill makes the number of reads more than
      // four times what it was.
      const step = Math.max(limit + 1, 3 * reads);
      const count = Math.min(1.25 * expected, step, readBudget - reads);
      reads += await refillWith(count);
      continue;
    }
    const { event, place } = newest;
    if (dueEvents.has(event.id) && dueEvents.get(event.id) !== event) continue;
    // An event with two categories is in two partitions and can therefore come up twice.
    if (place === lastSeen) continue;
    lastSeen = place;
    const verdict = decideEvent(event, context, { now });
    if (verdict.outcome !== 'shown' || !matches(verdict.event, filters)) continue;
    // An event whose start is changed meanwhile can come up at both places.
    if (page.some(({ shown }) => shown.event.id === event.id)) continue;
    const last = page.at(-1);
    if (page.length === limit && last !== undefined) return pageUpTo(last.place);
    page.push({ shown: verdict, place });
  }
};

/** The status of an event may differ from that of the partition in which it was found. */
const matches = (
  { status, access, categories }: PresentEvent,
  { status: wantedStatus, access: wantedAccess, category }: EventFilters,
): boolean =>
  (wantedStatus === undefined || status === wantedStatus) &&
  (wantedAccess === undefined || access === wantedAccess) &&
  (category === undefined || categories.includes(category));

/** The events that are due, within the range that a list reads from the partitions. */
const rangeOf = (
  due: readonly Event[],
  { filters: { from, to }, after }: { readonly filters: EventFilters; readonly after: string | undefined },
): OpenRange => {
  const buffer = due
    .map((event) => ({ event, place: placeOf(event) }))
    .filter(
      ({ event: { startsAt }, place }) =>
        (from === undefined || startsAt >= from) &&
        (to === undefined || startsAt < to) &&
        (after === undefined || place < after),
    )
    .sort((a, b) => (a.place < b.place ? 1 : -1));
  return { buffer, more: false, readUpTo: '' };
};

const isDrained = ({ buffer, more }: OpenRange): boolean => buffer.length === 0 && more;

/** The position down to which every partition was read. `undefined` if no partition needs another read now. */
const horizonOf = (open: readonly OpenRange[]): string | undefined => {
  let horizon: string | undefined;
  for (const partition of open) {
    if (isDrained(partition) && (horizon === undefined || partition.readUpTo > horizon))
      horizon = partition.readUpTo;
  }
  return horizon;
};

/**
 * Reads about `count` events, in parallel, from the partitions whose buffers are nearly empty. Returns how many events
 * were read.
 */
const refill = async (
  { events }: Pick<ListEventsDependencies, 'events'>,
  {
    filters: { from, to },
    country,
    open,
    count,
    after,
  }: {
    readonly filters: EventFilters;
    readonly country: Country;
    readonly open: readonly OpenPartition[];
    readonly count: number;
    readonly after: string | undefined;
  },
): Promise<number> => {
  const smallest = from === undefined && to === undefined ? smallestSlice : windowSlice;
  const unread = open.filter(({ more }) => more);
  const limit = Math.min(largestSlice, Math.max(smallest, Math.ceil(count / unread.length)));
  const low = unread.filter(({ buffer }) => buffer.length <= limit / 4);
  const counts = await Promise.all(
    low.map(async (partition) => {
      const slice = await events.readPartition({
        partition: partition.partition,
        country,
        after: partition.readUpTo === aboveAll ? after : partition.readUpTo,
        from,
        to,
        limit,
      });
      partition.buffer.push(...slice.events.map((event) => ({ event, place: placeOf(event) })));
      partition.more = slice.more && slice.readUpTo !== undefined;
      partition.readUpTo = slice.readUpTo ?? partition.readUpTo;
      return slice.reads;
    }),
  );
  return counts.reduce((sum, came) => sum + came, 0);
};

/** The newest buffered event, unless an unread event could be newer. */
const takeNewest = (open: readonly OpenRange[], horizon: string | undefined): Placed | undefined => {
  let newest: OpenRange | undefined;
  let highest = horizon ?? '';
  for (const partition of open) {
    const [head] = partition.buffer;
    if (head === undefined || head.place < highest || (newest !== undefined && head.place === highest))
      continue;
    newest = partition;
    highest = head.place;
  }
  return newest?.buffer.shift();
};
