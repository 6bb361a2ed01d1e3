import { type Audience, decideEvent } from './decision.ts';
import type { Event } from './event.ts';
import type { EventAccess, EventStatus } from './event-kinds.ts';
import type { EventRepository } from './ports/event-repository.ts';
import { placeOf, type Shelf, shelvesFor } from './shelves.ts';

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
  readonly events: readonly Event[];
  /** The place after which the list goes on; `undefined` when nothing that may be seen is left. */
  readonly next: string | undefined;
}

/**
 * Events read for one page before it is handed out as it is. Only events hidden by their own rules, or filtered
 * by category, are read in vain; a catalogue needs more than this many of them in a row for a page to fall short.
 */
const defaultReadBudget = 2_000;

const smallestSlice = 10;
const largestSlice = 500;

/** One shelf, read slice by slice as the merge comes to need it. */
interface OpenShelf {
  readonly shelf: Shelf;
  buffer: Event[];
  more: boolean;
  readUpTo: string | undefined;
}

export interface ListEventsDependencies {
  readonly events: Pick<EventRepository, 'readShelf'>;
}

/**
 * One page of the catalogue as this audience may see it, newest start first, merged from its shelves.
 *
 * A `next` is given when a further visible event was found, so that neither it nor the number of events tells
 * of hidden ones. The exception is a page that has used up its budget of reads: it ends there, maybe short.
 */
export const listEvents = async (
  { events }: ListEventsDependencies,
  {
    audience,
    filters,
    limit,
    after,
    readBudget = defaultReadBudget,
  }: {
    readonly audience: Audience;
    readonly filters: EventFilters;
    readonly limit: number;
    /** The `next` of the page before. */
    readonly after?: string | undefined;
    /** @default 2_000 */
    readonly readBudget?: number | undefined;
  },
): Promise<EventPage> => {
  const open: OpenShelf[] = shelvesFor(audience, filters).map((shelf) => ({
    shelf,
    buffer: [],
    more: true,
    readUpTo: after,
  }));
  const isListed = (event: Event) =>
    decideEvent(event, audience).outcome === 'shown' &&
    (filters.category === undefined || event.categories.includes(filters.category));

  const page: Event[] = [];
  let reads = 0;
  let seen = 0;
  let lastSeen = after;
  for (;;) {
    if (open.some(isDrained)) {
      if (reads >= readBudget) return { events: page, next: lastSeen };
      const expected = ((limit + 1 - page.length) * Math.max(1, seen)) / Math.max(1, page.length);
      // Before enough was seen to expect by, what is read grows step by step.
      const step = Math.max(limit + 1, 3 * reads);
      const count = Math.min(1.25 * expected, step, readBudget - reads);
      reads += await refill({ events }, { filters, open, count });
      continue;
    }
    const event = takeNewest(open);
    if (event === undefined) return { events: page, next: undefined };
    if (isListed(event)) {
      const last = page.at(-1);
      if (page.length === limit && last !== undefined) return { events: page, next: placeOf(last) };
      page.push(event);
    }
    seen += 1;
    lastSeen = placeOf(event);
  }
};

const isDrained = ({ buffer, more }: OpenShelf): boolean => buffer.length === 0 && more;

/** Reads on where shelves ran dry or soon will, all at once: about `count` events. Says how many came. */
const refill = async (
  { events }: ListEventsDependencies,
  {
    filters: { from, to },
    open,
    count,
  }: {
    readonly filters: EventFilters;
    readonly open: readonly OpenShelf[];
    readonly count: number;
  },
): Promise<number> => {
  const unread = open.filter(({ more }) => more);
  const limit = Math.min(largestSlice, Math.max(smallestSlice, Math.ceil(count / unread.length)));
  const low = unread.filter(({ buffer }) => buffer.length <= limit / 4);
  const counts = await Promise.all(
    low.map(async (shelf) => {
      const slice = await events.readShelf({ shelf: shelf.shelf, after: shelf.readUpTo, from, to, limit });
      const last = slice.events.at(-1);
      shelf.buffer.push(...slice.events);
      shelf.more = slice.more && last !== undefined;
      if (last !== undefined) shelf.readUpTo = placeOf(last);
      return slice.events.length;
    }),
  );
  return counts.reduce((sum, came) => sum + came, 0);
};

const takeNewest = (open: readonly OpenShelf[]): Event | undefined => {
  let newest: OpenShelf | undefined;
  for (const candidate of open) {
    const [head] = candidate.buffer;
    if (head === undefined) continue;
    const [best] = newest?.buffer ?? [];
    if (best === undefined || placeOf(head) > placeOf(best)) newest = candidate;
  }
  return newest?.buffer.shift();
};
