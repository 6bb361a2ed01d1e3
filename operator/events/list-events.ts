import type { Event } from '../../shared/ott/event.ts';
import {
  type EventAccess,
  type EventStatus,
  eventAccesses,
  eventStatuses,
} from '../../shared/ott/event-kinds.ts';
import type { EventRepository } from '../../shared/ott/ports/event-repository.ts';
import { placeOf, type Shelf } from '../../shared/ott/shelves.ts';

/** The whole catalogue, whoever may see it, newest start first; `isAll` is false when there are more. */
export const listEvents = async ({
  events,
  status,
  access,
  limit,
}: {
  readonly events: Pick<EventRepository, 'readShelf'>;
  /** @default every status */
  readonly status?: EventStatus | undefined;
  /** @default both */
  readonly access?: EventAccess | undefined;
  readonly limit: number;
}): Promise<{ readonly events: Event[]; readonly isAll: boolean }> => {
  const shelves = eventStatuses
    .filter((each) => status === undefined || each === status)
    .flatMap((each) =>
      eventAccesses
        .filter((one) => access === undefined || one === access)
        .map((one): Shelf => ({ status: each, access: one, part: 'all' })),
    );
  const slices = await Promise.all(shelves.map((shelf) => readWhole(events, { shelf, limit: limit + 1 })));
  const found = slices
    .flat()
    .map((event) => ({ event, place: placeOf(event) }))
    .sort((a, b) => (a.place < b.place ? 1 : -1));
  return { events: found.slice(0, limit).map(({ event }) => event), isAll: found.length <= limit };
};

/** As many as asked for, if there are so many: one read may return fewer. */
const readWhole = async (
  events: Pick<EventRepository, 'readShelf'>,
  { shelf, limit }: { readonly shelf: Shelf; readonly limit: number },
): Promise<Event[]> => {
  const found: Event[] = [];
  for (;;) {
    const last = found.at(-1);
    const after = last === undefined ? undefined : placeOf(last);
    const slice = await events.readShelf({
      shelf,
      country: 'everywhere',
      after,
      limit: limit - found.length,
    });
    found.push(...slice.events);
    if (!slice.more || slice.events.length === 0 || found.length >= limit) return found;
  }
};
