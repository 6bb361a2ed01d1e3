import * as z from 'zod';
import { batchGet } from '../../platform/store/batch-get.ts';
import type { Table } from '../../platform/store/client.ts';
import { changedFields } from '../catalogue/field-changes.ts';
import type { EventChange } from '../ports/catalogue.ts';
import { changeKinds, type EventHistory, historyAtMost, type PastChange } from '../ports/event-history.ts';
import { settled } from '../schedule.ts';

export const historyPrefix = 'HISTORY#';
const historyKey = (id: string, slot: number | 'end') => ({ pk: `${historyPrefix}${id}#${slot}` });

const itemSchema = z.object({
  at: z.iso.datetime(),
  by: z.string(),
  version: z.int(),
  kind: z.enum(changeKinds),
  fields: z.array(z.string()),
});

/**
 * The fields that a change changes. A status that the schedule has given the event before counts only for the writer who
 * changes nothing else.
 */
const fieldsOf = ({ before, after }: EventChange, now: number): readonly string[] => {
  if (before === undefined || after === undefined) return [];
  const own = changedFields(settled(before.event, now), after);
  return (own.length > 0 ? own : changedFields(before.event, after)).map(({ field }) => field);
};

/**
 * The item of a change, which takes the place of the change 50 versions before it. None for a write that changes no
 * field.
 */
export const historyWrites = (
  tableName: string,
  change: EventChange,
  {
    by,
    now,
    version,
    end,
  }: {
    readonly by: string;
    readonly now: number;
    readonly version: number;
    /** The version with which an event that is created was deleted last. */
    readonly end: number | undefined;
  },
) => {
  const { before, after } = change;
  const fields = fieldsOf(change, now);
  if (before && after && fields.length === 0) return [];
  const id = (after ?? before?.event)?.id ?? '';
  const past: PastChange = {
    at: new Date(now).toISOString(),
    by,
    version,
    kind: before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed',
    fields,
  };
  const put = (slot: Parameters<typeof historyKey>[1], fields: object, condition: object = {}) => ({
    Put: { TableName: tableName, Item: { ...historyKey(id, slot), ...fields }, ...condition },
  });
  const putEnd = (condition?: object) =>
    put('end', { version } satisfies z.input<typeof endSchema>, condition);
  return [
    put(version % historyAtMost, past),
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
    return items
      .map((item): PastChange => itemSchema.parse(item))
      .sort((a, b) => (a.at === b.at ? b.version - a.version : a.at < b.at ? 1 : -1));
  },
});
