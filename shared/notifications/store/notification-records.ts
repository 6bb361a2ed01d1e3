import { createHash } from 'node:crypto';
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { inParallel } from '../../platform/in-parallel.ts';
import { tellLaterData, unknownIn } from '../../platform/later-data.ts';
import { conditionHeld, queryPages, scanPages, type Table } from '../../platform/store/client.ts';
import { type Message, subjectOf } from '../messages/message.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import {
  type Delivery,
  type NotificationRecord,
  publicationOf,
  type SentNotification,
  statusOf,
} from '../record/record.ts';
import { expiry, messageText, messageTextSchema } from './message-text.ts';

const messageKey = (messageId: string): string => `MESSAGE#${messageId}`;
const subjectKey = (applicationId: string, message: Message): string =>
  `SUBJECT#${applicationId}#${subjectOf(message)}`;
/** A hash, because an address may be too long for a key. */
const hashOf = (destination: string): string => createHash('sha256').update(destination).digest('hex');
const deliveryKey = (destination: string): string => `DELIVERY#${hashOf(destination)}`;

const dayMilliseconds = 24 * 60 * 60 * 1_000;
const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
const dayKey = (applicationId: string, day: string): string => `${applicationId}#${day}`;
const listedKey = ({ publishedAt, id }: Pick<SentNotification, 'publishedAt' | 'id'>): string =>
  `${new Date(publishedAt).toISOString()}#${id}`;

/** A filtered page ends after it has examined about this many records. Its `next` continues from there. */
const looksForAPage = 500;
const readsAtOnce = 20;
/** DynamoDB's limit for one BatchWriteItem. */
const batchItemsAtMost = 25;
const writesAtOnce = 10;
const subjectsAtMost = 100;
/** How many segments of the index are scanned in parallel, so that a million messages are read in a few seconds. */
const lookersAtOnce = 8;

const sentSchema = z
  .object({
    message_id: z.string(),
    application_id: z.string(),
    endpoint_id: z.string().optional(),
    redrive_of: z.string().optional(),
    replay_of: z.string().optional(),
    published_at: z.number(),
    message: messageTextSchema,
  })
  .transform(
    (item): SentNotification => ({
      id: item.message_id,
      applicationId: item.application_id,
      ...(item.endpoint_id !== undefined && { endpointId: item.endpoint_id }),
      redriveOf: item.redrive_of,
      replayOf: item.replay_of,
      publishedAt: item.published_at,
      message: item.message,
    }),
  );

/** `undefined` for a message that only a later release knows. */
const sentOf = (item: Readonly<Record<string, unknown>>): SentNotification | undefined => {
  const { success, data, error } = sentSchema.safeParse(item);
  if (success) return data;
  tellLaterData({ kind: 'notification', id: String(item.message_id), unknown: unknownIn(error) });
  return undefined;
};

const deliverySchema = z
  .object({
    pk: z.string(),
    destination: z.string(),
    is_delivered: z.boolean(),
    status_code: z.number().optional(),
    attempts: z.number(),
    dwell_ms: z.number().optional(),
    at: z.number(),
    reason: z.string(),
    redriven_at: z.number().optional(),
  })
  .transform(
    (item): Delivery => ({
      messageId: item.pk.slice(messageKey('').length),
      destination: item.destination,
      isDelivered: item.is_delivered,
      statusCode: item.status_code,
      attempts: item.attempts,
      dwellMilliseconds: item.dwell_ms,
      at: item.at,
      reason: item.reason,
      redrivenAt: item.redriven_at,
    }),
  );

/** Leaves out deliveries with an outcome that this release does not know. */
const deliveriesOf = (items: readonly Readonly<Record<string, unknown>>[]): readonly Delivery[] =>
  items.flatMap((item) => {
    const { success, data, error } = deliverySchema.safeParse(item);
    if (success) return data;
    tellLaterData({ kind: 'delivery', id: keyOf(item), unknown: unknownIn(error) });
    return [];
  });

/** An update that sets the given attributes. It leaves those that are `undefined` as they are. */
const updateOfGiven = (attributes: Readonly<Record<string, unknown>>) => {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return {
    UpdateExpression: `SET ${given.map((_, index) => `#${index} = :${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(given.map(([name], index) => [`#${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(given.map(([, value], index) => [`:${index}`, value])),
  };
};

const sentItem = (sent: SentNotification) => ({
  pk: subjectKey(sent.applicationId, sent.message),
  sk: listedKey(sent),
  message_id: sent.id,
  application_id: sent.applicationId,
  ...(sent.endpointId !== undefined && { endpoint_id: sent.endpointId }),
  ...(sent.redriveOf !== undefined && { redrive_of: sent.redriveOf }),
  ...(sent.replayOf !== undefined && { replay_of: sent.replayOf }),
  published_at: sent.publishedAt,
  message: messageText(sent.message),
  application_day: dayKey(sent.applicationId, dayOf(sent.publishedAt)),
  listed: listedKey(sent),
  expires_at: expiry(sent.publishedAt),
});

const deliveryItem = (delivery: Delivery) => ({
  pk: messageKey(delivery.messageId),
  sk: deliveryKey(delivery.destination),
  destination: delivery.destination,
  is_delivered: delivery.isDelivered,
  ...(delivery.statusCode !== undefined && { status_code: delivery.statusCode }),
  attempts: delivery.attempts,
  ...(delivery.dwellMilliseconds !== undefined && { dwell_ms: delivery.dwellMilliseconds }),
  at: delivery.at,
  reason: delivery.reason,
  expires_at: expiry(delivery.at),
});

/** The item of a failed delivery. The index `failures` finds it by its destination's hash. */
const failureItem = (delivery: Delivery) => ({
  ...deliveryItem(delivery),
  failed_destination: hashOf(delivery.destination),
});

type RecordItem = ReturnType<typeof sentItem> | ReturnType<typeof deliveryItem>;

const keyOf = ({ pk, sk }: Readonly<Record<string, unknown>> = {}): string => `${pk} ${sk}`;

/** A row of the index of messages. */
interface Listed {
  /** The row's position. */
  readonly listed: string;
  /** `undefined` for a message that only a later release knows. */
  readonly sent: SentNotification | undefined;
}

/**
 * - Each message is an item in the partition of its subject. An index lists messages by application and day.
 * - Each ended delivery is an item in the partition of its message. An index lists failed deliveries by address.
 * Messages and deliveries are written separately, so they may arrive in any order. A message to one endpoint costs
 * three write units: the message's item, its entry in the index of messages, and the delivery's item.
 */
export const dynamoDbNotificationRecords = ({ client, tableName }: Table): NotificationRecords => {
  const update = async (input: Omit<UpdateCommandInput, 'TableName'>): Promise<void> => {
    await conditionHeld(client.update({ TableName: tableName, ...input }));
  };

  /** Writes a batch and returns the items that were not written: some if DynamoDB throttled, all if the call failed. */
  const leftBy = async (batch: readonly RecordItem[]): Promise<readonly RecordItem[]> => {
    try {
      const { UnprocessedItems } = await client.batchWrite({
        RequestItems: { [tableName]: batch.map((Item) => ({ PutRequest: { Item } })) },
      });
      const left = new Set(UnprocessedItems?.[tableName]?.map(({ PutRequest }) => keyOf(PutRequest?.Item)));
      return batch.filter((item) => left.has(keyOf(item)));
    } catch {
      return batch;
    }
  };

  /**
   * Writes items in batches, then the remaining items one by one. Returns for each item, in order, the error or
   * `undefined`.
   */
  const putAll = async (items: readonly RecordItem[]): Promise<readonly unknown[]> => {
    // A queue may deliver a message twice, but a batch may contain an item only once.
    const once = [...new Map(items.map((item) => [keyOf(item), item])).values()];
    const errors = new Map<string, unknown>();
    for (let first = 0; first < once.length; first += batchItemsAtMost) {
      await inParallel(await leftBy(once.slice(first, first + batchItemsAtMost)), {
        atOnce: writesAtOnce,
        run: async (item) => {
          try {
            await client.put({ TableName: tableName, Item: item });
          } catch (error) {
            errors.set(keyOf(item), error);
          }
        },
      });
    }
    return items.map((item) => errors.get(keyOf(item)));
  };

  /**
   * Records a failure unless a success is already recorded, because the lines of the delivery log come in any order.
   */
  const recordFailure = async (delivery: Delivery): Promise<unknown> => {
    const { pk, sk, ...attributes } = failureItem(delivery);
    const { ExpressionAttributeValues, ...written } = updateOfGiven(attributes);
    try {
      await update({
        Key: { pk, sk },
        ...written,
        ConditionExpression: 'attribute_not_exists(is_delivered) OR is_delivered = :no',
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':no': false },
      });
      return undefined;
    } catch (error) {
      return error;
    }
  };

  const withDeliveries = async (sent: SentNotification): Promise<NotificationRecord> => {
    const { Items = [] } = await client.query({
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': messageKey(sent.id), ':prefix': 'DELIVERY#' },
    });
    return { ...sent, deliveries: deliveriesOf(Items) };
  };

  /** Finds a message by its id alone. No index has the id as its key, so this reads the lists of all applications. */
  const findInLists = async (messageId: string): Promise<Record<string, unknown> | undefined> => {
    let found: Record<string, unknown> | undefined;
    const look = async (Segment: number): Promise<void> => {
      const pages = scanPages(client, {
        TableName: tableName,
        IndexName: 'by-application',
        FilterExpression: 'message_id = :id',
        ExpressionAttributeValues: { ':id': messageId },
        Segment,
        TotalSegments: lookersAtOnce,
      });
      for await (const { Items = [] } of pages) {
        found ??= Items[0];
        if (found !== undefined) return;
      }
    };
    await Promise.all(Array.from({ length: lookersAtOnce }, (_, segment) => look(segment)));
    return found;
  };

  const ofDay = async (partition: string, before: string, limit: number): Promise<Listed[]> => {
    const { Items = [] } = await client.query({
      TableName: tableName,
      IndexName: 'by-application',
      KeyConditionExpression: 'application_day = :day AND listed < :before',
      ExpressionAttributeValues: { ':day': partition, ':before': before },
      ScanIndexForward: false,
      Limit: limit,
    });
    return Items.map((item) => ({ listed: String(item.listed), sent: sentOf(item) }));
  };

  return {
    recordSent: (sent) => putAll(sent.map(sentItem)),

    recordDeliveries: async (deliveries) => {
      const delivered = deliveries.filter(({ isDelivered }) => isDelivered);
      const failed = deliveries.filter(({ isDelivered }) => !isDelivered);
      const errors = new Map<Delivery, unknown>();
      const unput = await putAll(delivered.map(deliveryItem));
      for (const [index, delivery] of delivered.entries()) errors.set(delivery, unput[index]);
      await inParallel(failed, {
        atOnce: writesAtOnce,
        run: async (delivery) => errors.set(delivery, await recordFailure(delivery)),
      });
      return deliveries.map((delivery) => errors.get(delivery));
    },

    list: async ({ applicationId, from, to, status, operationType, limit, after }) => {
      const found: NotificationRecord[] = [];
      const oldest = new Date(from).toISOString();
      let before = after ?? new Date(to).toISOString();
      let looked = 0;
      for (
        let day = Date.parse(before.slice(0, 10));
        day >= Date.parse(dayOf(from));
        day -= dayMilliseconds
      ) {
        for (;;) {
          const wanted = Math.min(limit - found.length + 1, looksForAPage);
          const rows = await ofDay(dayKey(applicationId, dayOf(day)), before, wanted);
          const records = await inParallel(
            rows.filter(({ listed }) => listed >= oldest),
            {
              atOnce: readsAtOnce,
              run: async ({ listed, sent }) => ({ listed, record: sent && (await withDeliveries(sent)) }),
            },
          );
          for (const { listed, record } of records) {
            const isWanted =
              record !== undefined &&
              (status === undefined || statusOf(record.deliveries) === status) &&
              (operationType === undefined || record.message.operationType === operationType);
            if (isWanted && found.length === limit) return { items: found, next: before };
            if (isWanted) found.push(record);
            before = listed;
          }
          looked += rows.length;
          if (looked >= looksForAPage && records.length > 0) return { items: found, next: before };
          if (rows.length < wanted || records.length < rows.length) break;
        }
      }
      return { items: found };
    },

    sentBetween: async function* ({ applicationId, from, to }) {
      for (let day = Date.parse(dayOf(from)); day <= to; day += dayMilliseconds) {
        const pages = queryPages(client, {
          TableName: tableName,
          IndexName: 'by-application',
          KeyConditionExpression: 'application_day = :day AND listed BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':day': dayKey(applicationId, dayOf(day)),
            ':from': new Date(from).toISOString(),
            // A position begins with the message's time, and goes on with its id.
            ':to': `${new Date(to).toISOString()}~`,
          },
        });
        for await (const { Items = [] } of pages) yield* Items.flatMap((item) => sentOf(item) ?? []);
      }
    },

    find: async (messageId) => {
      const sent = await findInLists(messageId);
      const known = sent && sentOf(sent);
      return known && withDeliveries(known);
    },

    ofSubject: async ({ applicationId, message, from, to }) => {
      const { Items = [] } = await client.query({
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :subject AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':subject': subjectKey(applicationId, message),
          // A sort key begins with the message's time. `to` is a time without an id, so it sorts before all messages at
          // that time.
          ':from': from === undefined ? '0' : new Date(from).toISOString(),
          ':to': to === undefined ? '9' : new Date(to).toISOString(),
        },
        ScanIndexForward: false,
        Limit: subjectsAtMost,
      });
      const sent = Items.flatMap((item) => sentOf(item) ?? []);
      return inParallel(sent, { atOnce: readsAtOnce, run: withDeliveries });
    },

    markRedriven: ({ messageId, destination, at }) =>
      update({
        Key: { pk: messageKey(messageId), sk: deliveryKey(destination) },
        ...updateOfGiven({ redriven_at: at }),
        ConditionExpression: 'attribute_exists(pk)',
      }),

    countFailures: async ({ destination, publishedFrom, since, atMost }) => {
      let [looked, young, notRedriven] = [0, 0, 0];
      const pages = queryPages(client, {
        TableName: tableName,
        IndexName: 'failures',
        KeyConditionExpression: 'failed_destination = :destination',
        ExpressionAttributeValues: { ':destination': hashOf(destination) },
        Limit: atMost,
      });
      for await (const { Items = [] } of pages) {
        for (const delivery of deliveriesOf(Items)) {
          if (publicationOf(delivery) < publishedFrom) continue;
          if (delivery.at >= since) young += 1;
          if (delivery.redrivenAt === undefined) notRedriven += 1;
        }
        looked += Items.length;
        if (looked >= atMost) break;
      }
      return { since: young, notRedriven };
    },
  };
};
