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
const DEFAULT_READ_BUDGET = 2_000;

const LARGEST_SLICE = 500;

/** One shelf, read slice by slice as the merge comes to need it. */
interface OpenShelf {
  readonly shelf: Shelf;
  buffer: Event[];
  more: boolean;
  readUpTo: string | undefined;
  sliceSize: number;
}

/**
 * One page of the catalogue as this audience may see it, newest start first, merged from its shelves.
 *
 * A `next` is given when a further visible event was found, so that neither it nor the number of events tells
 * of hidden ones. The exception is a page that has used up its budget of reads: it ends there, maybe short.
 */
export const listEvents = async ({
  events,
  audience,
  filters,
  limit,
  after,
  readBudget = DEFAULT_READ_BUDGET,
}: {
  readonly events: Pick<EventRepository, 'readShelf'>;
  readonly audience: Audience;
  readonly filters: EventFilters;
  readonly limit: number;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  /** @default 2_000 */
  readonly readBudget?: number;
}): Promise<EventPage> => {
  const shelves = shelvesFor(audience, filters);
  const sliceSize = Math.max(10, Math.ceil((2 * (limit + 1)) / Math.max(1, shelves.length)));
  const open: OpenShelf[] = shelves.map((shelf) => ({
    shelf,
    buffer: [],
    more: true,
    readUpTo: after,
    sliceSize,
  }));
  const isListed = (event: Event) =>
    decideEvent(event, audience).outcome === 'shown' &&
    (filters.category === undefined || event.categories.includes(filters.category));

  const page: Event[] = [];
  let reads = 0;
  let lastSeen = after;
  for (;;) {
    const drained = open.filter(({ buffer, more }) => buffer.length === 0 && more);
    if (drained.length > 0) {
      if (reads >= readBudget) return { events: page, next: lastSeen };
      reads += await refill({ events, filters, drained, budget: readBudget - reads });
      continue;
    }
    const event = takeNewest(open);
    if (event === undefined) return { events: page, next: undefined };
    if (isListed(event)) {
      const last = page.at(-1);
      if (page.length === limit && last !== undefined) return { events: page, next: placeOf(last) };
      page.push(event);
    }
    lastSeen = placeOf(event);
  }
};

/** Reads on where a shelf ran dry, more each time, and says how many events came. */
const refill = async ({
  events,
  filters: { from, to },
  drained,
  budget,
}: {
  readonly events: Pick<EventRepository, 'readShelf'>;
  readonly filters: EventFilters;
  readonly drained: readonly OpenShelf[];
  /** Events that may still be read, for all of them together. */
  readonly budget: number;
}): Promise<number> => {
  const share = Math.ceil(budget / drained.length);
  const counts = await Promise.all(
    drained.map(async (open) => {
      const slice = await events.readShelf({
        shelf: open.shelf,
        after: open.readUpTo,
        from,
        to,
        limit: Math.min(share, open.sliceSize),
      });
      const last = slice.events.at(-1);
      open.buffer = [...slice.events];
      open.more = slice.more && last !== undefined;
      open.readUpTo = last === undefined ? open.readUpTo : placeOf(last);
      open.sliceSize = Math.min(LARGEST_SLICE, open.sliceSize * 4);
      return slice.events.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
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
