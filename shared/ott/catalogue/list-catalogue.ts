import type { Page } from '../../platform/page.ts';
import type { Event } from '../events/event.ts';
import { eventAccesses, eventStatuses } from '../events/event-kinds.ts';
import { placeOf } from '../lists/index-partitions.ts';
import type { EventRepository } from '../ports/event-repository.ts';

/**
 * One page of the whole catalogue, latest start first. An event written a moment ago may be missing. A page may be short
 * without being the last.
 */
export const listCatalogue = async (
  { events }: { readonly events: Pick<EventRepository, 'readPartition'> },
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<Page<Event>> => {
  const slices = await Promise.all(
    eventStatuses.flatMap((status) =>
      eventAccesses.map((access) =>
        events.readPartition({
          partition: { status, access, part: 'all' },
          country: 'everywhere',
          after,
          limit: limit + 1,
        }),
      ),
    ),
  );
  // A partition that was not read to its end may have more events below the horizon.
  const horizon =
    slices
      .flatMap(({ more, readUpTo }) => (more && readUpTo !== undefined ? [readUpTo] : []))
      .toSorted()
      .at(-1) ?? '';
  const found = slices
    .flatMap((slice) => slice.events)
    .map((event) => ({ event, place: placeOf(event) }))
    .filter(({ place }) => place >= horizon)
    .sort((a, b) => (a.place < b.place ? 1 : -1));
  // An event that moves between two reads is found twice.
  const once = found.filter(({ place }, index) => place !== found[index - 1]?.place);
  const page = once.slice(0, limit);
  const next = once.length > limit ? page.at(-1)?.place : horizon === '' ? undefined : horizon;
  return { items: page.map(({ event }) => event), next };
};
