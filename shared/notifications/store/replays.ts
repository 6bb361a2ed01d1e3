import * as z from 'zod';
import { tellLaterData, unknownIn } from '../../platform/later-data.ts';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import type { Replays } from '../ports/replays.ts';
import { notificationStatuses, recordLifetimeMilliseconds } from '../record/record.ts';
import type { Replay } from '../replay/replay.ts';

const keyOf = ({ applicationId, id }: Pick<Replay, 'applicationId' | 'id'>) => ({
  pk: `REPLAY#${applicationId}#${id}`,
  sk: 'REPLAY',
});
const leaseKeyOf = (applicationId: string) => ({ pk: `REPLAYS#${applicationId}`, sk: 'LEASE' });

const placesKeyOf = (applicationId: string) => ({ pk: `REPLAYS#${applicationId}`, sk: 'OPEN' });
const placeOf = ({ startedAt, id }: Pick<Replay, 'id' | 'startedAt'>) => `${startedAt}#${id}`;
const placesSchema = z.object({ places: z.set(z.string()).default(new Set()) });

const itemSchema = z
  .strictObject({
    pk: z.string(),
    sk: z.string(),
    expires_at: z.number(),
    application_id: z.string(),
    replay_id: z.string(),
    from: z.number(),
    to: z.number(),
    status: z.enum(notificationStatuses).optional(),
    endpoint_id: z.string().optional(),
    started_at: z.number(),
    ended_at: z.number().optional(),
    next: z.string().optional(),
    looked: z.number(),
    published: z.number(),
  })
  .transform(
    (item): Replay => ({
      applicationId: item.application_id,
      id: item.replay_id,
      from: item.from,
      to: item.to,
      status: item.status,
      endpointId: item.endpoint_id,
      startedAt: item.started_at,
      endedAt: item.ended_at,
      next: item.next,
      looked: item.looked,
      published: item.published,
    }),
  );

/** An item may have fields or values that only a later release knows. Then `later` names them. */
const replayOf = (item: Readonly<Record<string, unknown>>): Replay => {
  const { success, data, error } = itemSchema.safeParse(item);
  if (success) return data;
  const later = unknownIn(error);
  const rest = Object.entries(item).filter(([name]) => !later.includes(name));
  const known = itemSchema.parse(Object.fromEntries(rest));
  tellLaterData({ kind: 'replay', id: known.id, unknown: later });
  return { ...known, later };
};

const toItem = (replay: Replay): z.input<typeof itemSchema> => ({
  ...keyOf(replay),
  application_id: replay.applicationId,
  replay_id: replay.id,
  from: replay.from,
  to: replay.to,
  status: replay.status,
  endpoint_id: replay.endpointId,
  started_at: replay.startedAt,
  ended_at: replay.endedAt,
  next: replay.next,
  looked: replay.looked,
  published: replay.published,
  expires_at: Math.ceil((replay.startedAt + recordLifetimeMilliseconds) / 1_000),
});

const isNew = 'attribute_not_exists(pk)';
const isFirstPage = 'attribute_not_exists(#next) AND attribute_not_exists(ended_at)';
const isAtPage = '#next = :before';
const hasPlace = 'attribute_not_exists(places) OR size(places) < :most';
const isFree = 'attribute_not_exists(pk) OR lease_until < :now OR holder = :holder';
const isHeld = 'holder = :holder';

export const dynamoDbReplays = ({ client, tableName: TableName }: Table): Replays => {
  const find: Replays['find'] = async (key) => {
    const { Item } = await client.get({ TableName, Key: keyOf(key), ConsistentRead: true });
    return Item === undefined ? undefined : replayOf(Item);
  };

  return {
    find,

    keep: async (replay) => {
      const put = client.put({ TableName, Item: toItem(replay), ConditionExpression: isNew });
      if (await conditionHeld(put)) return replay;
      return (await find(replay)) ?? replay;
    },

    advance: async (replay, { next: before }) => {
      await conditionHeld(
        client.put({
          TableName,
          Item: toItem(replay),
          ConditionExpression: before === undefined ? isFirstPage : isAtPage,
          ExpressionAttributeNames: { '#next': 'next' },
          ...(before !== undefined && { ExpressionAttributeValues: { ':before': before } }),
        }),
      );
    },

    open: (replay, atMost) =>
      conditionHeld(
        client.update({
          TableName,
          Key: placesKeyOf(replay.applicationId),
          UpdateExpression: 'ADD places :place SET expires_at = :end',
          ConditionExpression: hasPlace,
          ExpressionAttributeValues: {
            ':place': new Set([placeOf(replay)]),
            ':most': atMost,
            ':end': Math.ceil((replay.startedAt + recordLifetimeMilliseconds) / 1_000),
          },
        }),
      ),

    opened: async (applicationId) => {
      const { Item } = await client.get({
        TableName,
        Key: placesKeyOf(applicationId),
        ConsistentRead: true,
      });
      return [...placesSchema.parse(Item ?? {}).places].map((place) => {
        const [startedAt, id = ''] = place.split('#');
        return { applicationId, id, startedAt: Number(startedAt) };
      });
    },

    close: async (replay) => {
      await client.update({
        TableName,
        Key: placesKeyOf(replay.applicationId),
        UpdateExpression: 'DELETE places :place',
        ExpressionAttributeValues: { ':place': new Set([placeOf(replay)]) },
      });
    },

    hold: ({ applicationId, holder, now, until }) =>
      conditionHeld(
        client.update({
          TableName,
          Key: leaseKeyOf(applicationId),
          UpdateExpression: 'SET holder = :holder, lease_until = :until, expires_at = :end',
          ConditionExpression: isFree,
          ExpressionAttributeValues: {
            ':holder': holder,
            ':now': now,
            ':until': until,
            ':end': Math.ceil((now + recordLifetimeMilliseconds) / 1_000),
          },
        }),
      ),

    release: async ({ applicationId, holder }) => {
      await conditionHeld(
        client.delete({
          TableName,
          Key: leaseKeyOf(applicationId),
          ConditionExpression: isHeld,
          ExpressionAttributeValues: { ':holder': holder },
        }),
      );
    },
  };
};
