import { newCache } from '../cache.ts';
import type { Clock } from '../clock.ts';
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
  const heads = newCache<Promise<ShelfSlice>>({ capacity, lifetimeMilliseconds, clock });

  const headOf = (shelf: Shelf): Promise<ShelfSlice> => {
    const key = [shelf.status, shelf.access, shelf.part, shelf.category ?? ''].join('#');
    const known = heads.get(key);
    if (known !== undefined) return known;
    const slice = events.readShelf({ shelf, country: 'everywhere', limit: headSize });
    heads.set(key, slice);
    slice.catch(() => {
      if (heads.get(key) === slice) heads.delete(key);
    });
    return slice;
  };

  return {
    readShelf: async (range) => {
      const fromHead = isWithinReach(range) ? withinHead(await headOf(range.shelf), range) : undefined;
      return fromHead ?? events.readShelf(range);
    },
  };
};

/** Reads that go on from a place, or end at a time, are mostly beyond any head. */
const isWithinReach = ({ after, to }: ShelfRange): boolean => after === undefined && to === undefined;

const withinHead = (head: ShelfSlice, range: ShelfRange): ShelfSlice | undefined => {
  const { from, limit, country } = range;
  const inRange = head.events.filter(({ startsAt }) => from === undefined || startsAt >= from);
  const isWhole = !head.more || inRange.length < head.events.length;
  const taken = inRange.slice(0, limit);
  // What the head cannot say is read from the shelf itself.
  if (taken.length < limit && !isWhole) return undefined;
  const last = taken.at(-1);
  return {
    events: taken.filter(
      ({ geoblocking, status }) =>
        country === 'everywhere' || !ruleBlocks({ rule: geoblocking, status, country }),
    ),
    readUpTo: last === undefined ? undefined : placeOf(last),
    reads: taken.length,
    more: taken.length < inRange.length || !isWhole,
  };
};
