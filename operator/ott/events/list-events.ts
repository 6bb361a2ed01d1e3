import { effective } from '../../../shared/ott/events/effective.ts';
import type { Event, PresentEvent } from '../../../shared/ott/events/event.ts';
import {
  type EventAccess,
  type EventStatus,
  eventAccesses,
  eventStatuses,
} from '../../../shared/ott/events/event-kinds.ts';
import { type IndexPartition, placeOf } from '../../../shared/ott/lists/index-partitions.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';

/**
 * Lists all events, including hidden ones, latest start first, with the status that they have now. `isAll` is false if
 * there are more than `limit`.
 */
export const listEvents = async ({
  events,
  clock,
  status,
  access,
  limit,
}: {
  readonly events: Pick<EventRepository, 'readPartition' | 'eventsDue'>;
  readonly clock: Clock;
  /** @default every status */
  readonly status?: EventStatus | undefined;
  /** @default every kind of access */
  readonly access?: EventAccess | undefined;
  readonly limit: number;
}): Promise<{ readonly events: PresentEvent[]; readonly isAll: boolean }> => {
  const partitions = eventStatuses
    .filter((each) => status === undefined || each === status)
    .flatMap((each) =>
      eventAccesses
        .filter((one) => access === undefined || one === access)
        .map((one): IndexPartition => ({ status: each, access: one, part: 'all' })),
    );
  const now = clock();
  const due = await events.eventsDue({ until: now });
  const slices = await Promise.all(
    partitions.map((partition) => readWhole(events, { partition, limit: limit + due.length + 1 })),
  );
  // An event that is due may be in the partition of its former status, or in that of its new one.
  const byId = new Map([...slices.flat(), ...due].map((event) => [event.id, effective(event, now)]));
  const found = [...byId.values()]
    .filter((event) => status === undefined || event.status === status)
    .filter((event) => access === undefined || event.access === access)
    .map((event) => ({ event, place: placeOf(event) }))
    .sort((a, b) => (a.place < b.place ? 1 : -1));
  return { events: found.slice(0, limit).map(({ event }) => event), isAll: found.length <= limit };
};

/**
 * Reads a partition until `limit` events are found or the partition ends. One read may return fewer events than
 * requested.
 */
const readWhole = async (
  events: Pick<EventRepository, 'readPartition'>,
  { partition, limit }: { readonly partition: IndexPartition; readonly limit: number },
): Promise<Event[]> => {
  const found: Event[] = [];
  for (;;) {
    const last = found.at(-1);
    const after = last === undefined ? undefined : placeOf(last);
    const slice = await events.readPartition({
      partition,
      country: 'everywhere',
      after,
      limit: limit - found.length,
    });
    found.push(...slice.events);
    if (!slice.more || slice.events.length === 0 || found.length >= limit) return found;
  }
};
