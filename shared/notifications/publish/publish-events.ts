import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { FailedEvent } from '../ports/failed-changes.ts';
import {
  type ChangedEvent,
  type EventWrite,
  isSeenChange,
  kindOf,
  lastOf,
  notificationsOfEvent,
  notificationsOfMany,
} from './event-notifications.ts';
import { type Change, type PublishChangesDependencies, publishChanges } from './publish-changes.ts';

/**
 * If more events than this have changed in a batch, each application gets one message, which says that many have
 * changed.
 */
export const eventsOneByOne = 10;

export interface PublishEventsDependencies
  extends Omit<PublishChangesDependencies, 'changeIn' | 'failedChanges' | 'endpoints'> {
  readonly endpoints: Pick<Endpoints, 'list'>;
  /** @throws for a record that this service cannot have written, or that only a later release can read. */
  readonly writeIn: (record: unknown) => EventWrite;
  /** The data that every record has, even one that `writeIn` cannot read. */
  readonly writtenIn: (record: unknown) => Pick<EventWrite, 'id' | 'dateTime'>;
  readonly keepFailed: (failed: FailedEvent, reason: string) => Promise<void>;
}

/** One or more records that are published, or fail, together. */
interface Told {
  /** The place of its first record in the batch. */
  readonly first: number;
  readonly change: () => Change;
  readonly ifFailed: FailedEvent;
}

interface Numbered {
  readonly index: number;
  readonly write: EventWrite;
}

const seen = (changed: Pick<ChangedEvent, 'before'>) => changed.before.filter((state) => state !== undefined);

const unreadable = (
  { writtenIn }: Pick<PublishEventsDependencies, 'writtenIn'>,
  { record, index, error }: { readonly record: unknown; readonly index: number; readonly error: unknown },
): Told => ({
  first: index,
  change: () => {
    throw error;
  },
  ifFailed: { kind: 'event', ...writtenIn(record), before: [] },
});

const changedEvent = (
  writes: readonly Numbered[],
): (ChangedEvent & { readonly first: number }) | undefined => {
  const [begin] = writes;
  const end = writes.at(-1);
  if (begin === undefined || end === undefined) return undefined;
  if (!writes.some(({ write: { before, after } }) => isSeenChange(before, after))) return undefined;
  return {
    first: begin.index,
    id: end.write.id,
    before: writes.map(({ write }) => write.before && kindOf(write.before)),
    now: end.write.after && kindOf(end.write.after),
    dateTime: end.write.dateTime,
  };
};

const oneByOne = (changed: ChangedEvent & { readonly first: number }): Told => ({
  first: changed.first,
  change: () => ({
    notifications: ({ applications, subscribed }) => subscribed(notificationsOfEvent(changed, applications)),
  }),
  ifFailed: { kind: 'event', id: changed.id, dateTime: changed.dateTime, before: seen(changed) },
});

const together = (all: readonly (ChangedEvent & { readonly first: number })[]): Told => ({
  first: Math.min(...all.map(({ first }) => first)),
  change: () => ({
    notifications: ({ applications, subscribed }) => subscribed(notificationsOfMany(all, applications)),
  }),
  ifFailed: {
    kind: 'many',
    dateTime: lastOf(all),
  },
});

/** Reads all endpoints with one scan, because any application may have to be notified of a change of an event. */
const listedOnce = ({ list }: Pick<Endpoints, 'list'>): Pick<Endpoints, 'ofApplication'> => {
  let known: Promise<Map<string, Endpoint[]>> | undefined;
  return {
    ofApplication: async (applicationId) => {
      known ??= list().then((all) => Map.groupBy(all, (endpoint) => endpoint.applicationId));
      try {
        return (await known).get(applicationId) ?? [];
      } catch (error) {
        known = undefined;
        throw error;
      }
    },
  };
};

/**
 * Publishes the changes of events in a batch of stream records. All changes of one event are published as one message.
 * If more than ten events have changed, each application gets one message for all of them, so that an import of a
 * catalogue publishes a few messages. What fails is tried again or put aside as `publishChanges` does it.
 *
 * Lambda invokes the function again with the same records only if it has failed. What it has published before is then
 * published again, with the same content.
 * @returns the records that are neither published nor put aside, and must be retried.
 */
export const publishEvents = async (
  { endpoints, writeIn, keepFailed, ...dependencies }: PublishEventsDependencies,
  { records }: { readonly records: readonly unknown[] },
): Promise<unknown[]> => {
  const read: Numbered[] = [];
  const failed: Told[] = [];
  for (const [index, record] of records.entries()) {
    try {
      read.push({ index, write: writeIn(record) });
    } catch (error) {
      failed.push(unreadable(dependencies, { record, index, error }));
    }
  }
  const changed = [...Map.groupBy(read, ({ write }) => write.id).values()].flatMap(
    (writes) => changedEvent(writes) ?? [],
  );
  const told = changed.length > eventsOneByOne ? [together(changed)] : changed.map(oneByOne);
  const all = [...failed, ...told].toSorted((one, other) => one.first - other.first);
  if (all.length === 0) return [];
  const unhandled = await publishChanges<Told>(
    {
      ...dependencies,
      endpoints: listedOnce(endpoints),
      changeIn: (one) => one.change(),
      failedChanges: { keep: ({ record, reason }) => keepFailed(record.ifFailed, reason) },
    },
    { records: all },
  );
  return unhandled.map((one) => records[one.first]);
};
