import * as z from 'zod';
import { batchGet } from '../../platform/store/batch-get.ts';
import type { Table } from '../../platform/store/client.ts';
import { queryNewIndex } from '../../platform/store/new-index.ts';
import { changedFields } from '../catalogue/field-changes.ts';
import { openedFields } from '../catalogue/restrictions.ts';
import { effective } from '../events/effective.ts';
import { eventRecord } from '../events/event-record.ts';
import type { EventChange } from '../ports/catalogue.ts';
import { changeKinds, type EventHistory, type PastChange } from '../ports/event-history.ts';
import { indexes } from './event-items.ts';

/** How many changes of an event are kept, besides those that are kept for good. */
export const historyAtMost = 50;

export const historyPrefix = 'HISTORY#';
type Slot = number | 'end' | `kept#${number}`;
const historyKey = (id: string, slot: Slot) => ({ pk: `${historyPrefix}${id}#${slot}` });

const itemSchema = z.object({
  at: z.iso.datetime(),
  by: z.string(),
  version: z.int(),
  kind: z.enum(changeKinds),
  fields: z.array(z.string()),
  opens: z.array(z.string()).default([]),
});

/**
 * Under this key, the index of changes that are due has the changes of an event that are kept for good, by their times.
 * No other item has such a key there.
 */
const keptQueue = (id: string): string => `KEPT#${id}`;

/**
 * The fields that a change changes. A status that the schedule has given the event before counts only for the writer who
 * changes nothing else.
 */
const fieldsOf = ({ before, after }: EventChange, now: number): readonly string[] => {
  if (before === undefined || after === undefined) return [];
  const [present, fresh] = [eventRecord(before.event, now), eventRecord(after, now)];
  const own = changedFields(present, fresh);
  const stored = eventRecord(before.event, now, before.presentStatus);
  return (own.length > 0 ? own : changedFields(stored, fresh)).map(({ field }) => field);
};

interface Making {
  readonly by: string;
  readonly now: number;
  readonly version: number;
}

const eventIn = ({ before, after }: EventChange): string => (after ?? before?.event)?.id ?? '';

/** A change as the history has it. `undefined` for a write that changes no field. */
export const pastChangeOf = (
  change: EventChange,
  { by, now, version }: Making,
): (PastChange & { readonly id: string }) | undefined => {
  const { before, after } = change;
  const fields = fieldsOf(change, now);
  if (before && after && fields.length === 0) return undefined;
  return {
    id: eventIn(change),
    at: new Date(now).toISOString(),
    by,
    version,
    kind: before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed',
    fields,
    opens: before && after ? openedFields(effective(before.event, now), effective(after, now)) : [],
  };
};

/**
 * Whether a change is kept for good. With many harmless changes after it, an editor could otherwise hide it. An event
 * that is deleted and created again may have lost its restrictions on the way.
 */
const isKept = ({ kind, version, opens }: PastChange): boolean =>
  opens.length > 0 || kind === 'deleted' || (kind === 'created' && version > 1);

/**
 * The items of a change. The first takes the place of the change {@link historyAtMost} versions before it. None for a
 * write that changes no field.
 */
export const historyWrites = (
  tableName: string,
  change: EventChange,
  {
    end,
    ...making
  }: Making & {
    /** The version with which an event that is created was deleted last. */
    readonly end: number | undefined;
  },
) => {
  const found = pastChangeOf(change, making);
  if (found === undefined) return [];
  const { before, after } = change;
  const { version } = making;
  const { id, ...past } = found;
  const put = (slot: Slot, fields: object, condition: object = {}) => ({
    Put: { TableName: tableName, Item: { ...historyKey(id, slot), ...fields }, ...condition },
  });
  const putEnd = (condition?: object) =>
    put('end', { version } satisfies z.input<typeof endSchema>, condition);
  return [
    put(version % historyAtMost, past),
    ...(isKept(past)
      ? [put(`kept#${version}`, { ...past, change_queue: keptQueue(id), change_due: past.at })]
      : []),
    ...(before === undefined ? [putEnd(isTheEndRead(end))] : after === undefined ? [putEnd()] : []),
  ];
};

/** A creation that is executed late, after the event was created and deleted again, is refused. */
const isTheEndRead = (end: number | undefined) =>
  end === undefined
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'version = :end', ExpressionAttributeValues: { ':end': end } };

/**
 * The version of the last creation or deletion. An event that is created again counts on from here, so that its changes
 * sort after those of its earlier life.
 */
const endSchema = z.object({ version: z.int() });

/** The versions with which these events were created or deleted last, by their ids. Strongly consistent. */
export const endVersions = async (
  { client, tableName }: Table,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const keys = ids.map((id) => historyKey(id, 'end'));
  const items = await batchGet({ client, tableName, keys });
  return new Map(
    items.map((item) => [
      String(item.pk).slice(historyPrefix.length, -'#end'.length),
      endSchema.parse(item).version,
    ]),
  );
};

export const dynamoDbEventHistory = ({ client, tableName }: Table): EventHistory => ({
  of: async (id) => {
    const keys = Array.from({ length: historyAtMost }, (_, slot) => historyKey(id, slot));
    const items = await batchGet({
      client,
      tableName,
      keys,
      attributes: Object.keys(itemSchema.shape),
    });
    const pages = queryNewIndex(client, {
      TableName: tableName,
      IndexName: indexes.changes,
      KeyConditionExpression: 'change_queue = :kept',
      ExpressionAttributeValues: { ':kept': keptQueue(id) },
    });
    for await (const { Items = [] } of pages) items.push(...Items);
    const byVersion = new Map(
      items.map((item): PastChange => itemSchema.parse(item)).map((past) => [past.version, past]),
    );
    return [...byVersion.values()].sort((a, b) =>
      a.at === b.at ? b.version - a.version : a.at < b.at ? 1 : -1,
    );
  },
});
