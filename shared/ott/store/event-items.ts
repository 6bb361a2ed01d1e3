import { randomBytes } from 'node:crypto';
import { tellLaterData } from '../../platform/later-data.ts';
import { changeDue, effective } from '../events/effective.ts';
import type { Event } from '../events/event.ts';
import { type StoredState, storedEventRecord, storedEventSchema } from '../events/event-record.ts';
import { withoutLaterFields } from '../events/later-fields.ts';
import { type IndexPartition, partitionsOf, placeOf } from '../lists/index-partitions.ts';
import { signedPlace } from '../streams/signed-path.ts';
import { streamAddress } from '../streams/stream-address.ts';

export const indexes = {
  all: 'by_start',
  exempt: 'lifted_by_start',
  streams: 'by_stream',
  signedPaths: 'by_signed_path',
  changes: 'by_change_due',
} as const;
export const partitionAttributes = { all: 'shelf', exempt: 'lifted_shelf' } as const;

export const eventKey = (id: string) => ({ pk: `EVENT#${id}` });
export const eventIdOf = (pk: unknown): string => String(pk).slice('EVENT#'.length);
const categoryKey = (id: string, category: string) => ({ pk: `CATEGORY#${id}#${category}` });
export const partitionKeyOf = ({ status, access, category }: Omit<IndexPartition, 'part'>): string =>
  category === undefined ? `${status}#${access}` : `${status}#${access}#${category}`;

/** The partition of all events that change their status by themselves, sorted by the time of the next change. */
const changeQueue = 'SCHEDULED';

/** A query for the events whose change is due. */
export const dueQuery = ({ tableName, until }: { readonly tableName: string; readonly until: number }) => ({
  TableName: tableName,
  IndexName: indexes.changes,
  KeyConditionExpression: 'change_queue = :all AND change_due <= :until',
  ExpressionAttributeValues: { ':all': changeQueue, ':until': new Date(until).toISOString() },
});

export type EventItem = Readonly<Record<string, unknown>> & { readonly pk: string };

/**
 * An event's items: one for the event itself, and one for each of its categories, so that a list of one category reads
 * no events of other categories. All items are written together or not at all. `now` is in epoch milliseconds.
 */
export const itemsOf = (
  event: Event,
  {
    version,
    now,
    due = changeDue(event, now),
  }: {
    readonly version: number;
    readonly now: number;
    /** The time under which the index of changes has the event. @default when its next change is due */
    readonly due?: string | undefined;
  },
): readonly [EventItem, ...EventItem[]] => {
  const present = effective(event, now);
  const { status, access, categories, geoblocking } = present;
  const isEffective = geoblocking?.enabled && (geoblocking.statuses?.includes(status) ?? true);
  const shared = {
    place: placeOf(event),
    version,
    event: JSON.stringify(storedEventRecord({ event, presentStatus: status })),
    // Set only if the event's own geoblocking rule applies at its present status. Queries filter events by these
    // attributes.
    ...(isEffective && { own_mode: geoblocking.mode, own_countries: geoblocking.countries }),
  };
  const partitions = partitionsOf(present);
  const onPartitions = (category: string | undefined) =>
    Object.fromEntries(
      partitions
        .filter((partition) => partition.category === category)
        .map((partition) => [
          partitionAttributes[partition.part],
          partitionKeyOf({ status, access, category }),
        ]),
    );
  return [
    {
      ...eventKey(event.id),
      ...shared,
      ...onPartitions(undefined),
      ...streamAttributes(event),
      ...(due !== undefined && { change_queue: changeQueue, change_due: due }),
    },
    ...[...new Set(categories)].map((category) => ({
      ...categoryKey(event.id, category),
      ...shared,
      ...onPartitions(category),
    })),
  ];
};

/**
 * An event is stored as JSON text, because nested attributes take ten times as long to read. Fields that a later release
 * has stored are in `later`. `undefined` if this release cannot read the event.
 */
export const stateOf = (text: unknown): StoredState | undefined => {
  const record: unknown = JSON.parse(String(text));
  const parsed = storedEventSchema.safeParse(record);
  if (parsed.success) return parsed.data;
  const rest = withoutLaterFields(record, parsed.error);
  const known = rest && storedEventSchema.safeParse(rest.known);
  const id = String((record as { readonly event_id?: unknown } | null)?.event_id);
  if (!known?.success) {
    const unknown = (known ?? parsed).error.issues.map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
    tellLaterData({ kind: 'event', id, unknown });
    return undefined;
  }
  tellLaterData({ kind: 'event', id, unknown: rest?.later.map(({ path }) => path.join('.')) });
  const { event, presentStatus } = known.data;
  return { event: { ...event, later: rest?.later }, presentStatus };
};

export const eventOf = (text: unknown): Event | undefined => stateOf(text)?.event;

const streamAttributes = ({ stream }: Pick<Event, 'stream'>) => {
  if (stream === undefined) return {};
  const { host, path } = streamAddress(stream);
  return { stream_host: host, stream_path: path, signed_path: signedPlace(stream).path };
};

/** Tells an event from an earlier one that had the same id and was deleted. */
export const newLife = (): string => randomBytes(9).toString('base64url');
