import { newCache } from '../cache.ts';
import type { Clock } from '../clock.ts';
import type { Event } from '../ott/event.ts';
import { ruleBlocks } from '../ott/geoblocking.ts';
import type { EventRepository, ShelfRange, ShelfSlice } from '../ott/ports/event-repository.ts';
import { placeOf, type Shelf } from '../ott/shelves.ts';

/** How old a head may be, counted from when its read began: a change shows in lists after this. */
const defaultLifetimeMilliseconds = 2_000;

/** Events of a head. A page merges several shelves, and takes more of one than this only rarely. */
const headSize = 100;

/** Shelves whose heads are kept; with one for each category asked for, there may be many. */
const capacity = 200;

/**
 * The heads of shelves, kept in a function's memory for lists: every list begins at the same few shelves, and would ask for
 * them again and again. They are kept whole, whoever asked for them, and what an event's own rule hides is left out for
 * each. A head that could not be read is not kept, nor is an old one served in its stead.
 */
export const withShelfHeads = (
  events: Pick<EventRepository, 'readShelf'>,
  {
    clock,
    lifetimeMilliseconds = defaultLifetimeMilliseconds,
  }: { readonly clock?: Clock; readonly lifetimeMilliseconds?: number } = {},
): Pick<EventRepository, 'readShelf'> => {
  // Each is a snapshot that nobody changes; one read serves all who ask while it goes on.
  const heads = newCache<Promise<Head>>({ capacity, lifetimeMilliseconds, clock });

  const readHead = (shelf: Shelf): Promise<Head> => {
    const key = keyOf(shelf);
    const head = events.readShelf({ shelf, country: 'everywhere', limit: headSize }).then(headOf);
    heads.set(key, head);
    head.catch(() => {
      if (heads.get(key) === head) heads.delete(key);
    });
    return head;
  };

  /** What goes on from a place is mostly beyond the head, unless the list itself began with it: none is read for it. */
  const headFor = ({ shelf, after }: ShelfRange): Promise<Head> | undefined =>
    heads.get(keyOf(shelf)) ?? (after === undefined ? readHead(shelf) : undefined);

  return {
    readShelf: async (range) => {
      // What ends at a time is mostly beyond any head.
      const head = range.to === undefined ? await headFor(range) : undefined;
      return (head && withinHead(head, range)) ?? events.readShelf(range);
    },
  };
};

interface Head {
  /** Newest start first. */
  readonly placed: readonly { readonly event: Event; readonly place: string }[];
  /** Whether the shelf may hold more. */
  readonly more: boolean;
}

const keyOf = ({ status, access, part, category = '' }: Shelf): string =>
  [status, access, part, category].join('#');

const headOf = ({ events, more }: ShelfSlice): Head => ({
  placed: events.map((event) => ({ event, place: placeOf(event) })),
  more,
});

const withinHead = (
  { placed, more }: Head,
  { after, from, limit, country }: ShelfRange,
): ShelfSlice | undefined => {
  const isEarlier = ({ event }: Head['placed'][number]): boolean =>
    from !== undefined && event.startsAt < from;
  const inRange = placed.filter((each) => !isEarlier(each) && (after === undefined || each.place < after));
  const oldest = placed.at(-1);
  const isWhole = !more || (oldest !== undefined && isEarlier(oldest));
  const taken = inRange.slice(0, limit);
  // What the head cannot say is read from the shelf itself.
  if (taken.length < limit && !isWhole) return undefined;
  return {
    events: taken
      .map(({ event }) => event)
      .filter(
        ({ geoblocking, status }) =>
          country === 'everywhere' || !ruleBlocks({ rule: geoblocking, status, country }),
      ),
    readUpTo: taken.at(-1)?.place,
    reads: taken.length,
    more: taken.length < inRange.length || !isWhole,
  };
};
