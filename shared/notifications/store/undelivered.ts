import * as z from 'zod';
import { inParallel } from '../../platform/in-parallel.ts';
import { tellLaterData, unknownIn } from '../../platform/later-data.ts';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import { answerIfHeld, conditionHeld, queryPages, type Table } from '../../platform/store/client.ts';
import { queryNewIndex } from '../../platform/store/new-index.ts';
import type { EndpointKey } from '../endpoints/endpoint.ts';
import { type Message, subjectOf } from '../messages/message.ts';
import type { Undelivered } from '../ports/undelivered.ts';
import type { FailedMessage, UndeliveredRow } from '../redeliver/undelivered-row.ts';
import { expiry, messageText, messageTextSchema } from './message-text.ts';

const partitionOf = ({ applicationId, id }: EndpointKey): string => `UNDELIVERED#${applicationId}/${id}`;
const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

const ofMessage = 'MESSAGE#';
/** The rows of messages come in the order of their publication. */
const messageKey = ({ publishedAt, messageId }: FailedMessage): string =>
  `${ofMessage}${isoTime(publishedAt)}#${messageId}`;
const subjectKey = (message: Message): string => `SUBJECT#${subjectOf(message)}`;

const writesAtOnce = 10;

const failedSchema = z
  .object({ message_id: z.string(), published_at: z.number(), is_exact: z.boolean() })
  .transform(
    (item): FailedMessage => ({
      messageId: item.message_id,
      publishedAt: item.published_at,
      isExact: item.is_exact,
    }),
  );

const rowSchema = z
  .object({
    message: messageTextSchema,
    published_at: z.number(),
    next_at: z.string().transform(Date.parse),
    attempt: z.number(),
    is_given_up: z.boolean(),
    copy_id: z.string().optional(),
    copy_published_at: z.number().optional(),
  })
  .transform(
    (item): UndeliveredRow => ({
      message: item.message,
      publishedAt: item.published_at,
      nextAt: item.next_at,
      attempt: item.attempt,
      isGivenUp: item.is_given_up,
      ...(item.copy_id !== undefined && {
        copy: { id: item.copy_id, publishedAt: item.copy_published_at ?? 0 },
      }),
    }),
  );

/** `undefined` for a row whose message only a later release knows. */
const rowOf = (item: Readonly<Record<string, unknown>>): UndeliveredRow | undefined => {
  const { success, data, error } = rowSchema.safeParse(item);
  if (success) return data;
  tellLaterData({ kind: 'undelivered notification', id: String(item.sk), unknown: unknownIn(error) });
  return undefined;
};

const isNewer = 'attribute_not_exists(newest) OR newest < :newest';
const isStillAt = 'next_at = :read';
const isStillNewest = `${isStillAt} AND newest = :newest`;
const isThere = 'attribute_exists(pk)';

/**
 * The rows of an endpoint are a partition. Those of subjects are also in the index `undelivered`, in which those that
 * were given up have a partition of their own.
 */
export const dynamoDbUndelivered = ({ client, tableName: TableName }: Table): Undelivered => {
  const indexOf = (key: EndpointKey, isGivenUp: boolean): string =>
    `${key.applicationId}/${key.id}${isGivenUp ? '#given-up' : ''}`;
  const keyOf = (key: EndpointKey, message: Message) => ({ pk: partitionOf(key), sk: subjectKey(message) });

  return {
    suspect: async (key, messages) => {
      await inParallel(messages, {
        atOnce: writesAtOnce,
        run: (message) =>
          client.put({
            TableName,
            Item: {
              pk: partitionOf(key),
              sk: messageKey(message),
              message_id: message.messageId,
              published_at: message.publishedAt,
              is_exact: message.isExact,
              expires_at: expiry(message.publishedAt),
            },
          }),
      });
    },

    suspected: async (key, { limit, after }) => {
      const { Items = [] } = await client.query({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :end',
        ExpressionAttributeValues: {
          ':pk': partitionOf(key),
          ':after': after === undefined ? ofMessage : `${messageKey(after)}#`,
          ':end': `${ofMessage}~`,
        },
        Limit: limit,
      });
      return Items.map((item) => failedSchema.parse(item));
    },

    dismiss: async (key, messages) => {
      await inParallel(messages, {
        atOnce: writesAtOnce,
        run: (message) =>
          client.delete({ TableName, Key: { pk: partitionOf(key), sk: messageKey(message) } }),
      });
    },

    fold: async (key, { message, publishedAt, nextAt }) => {
      await conditionHeld(
        client.update({
          TableName,
          Key: keyOf(key, message),
          UpdateExpression:
            'SET newest = :newest, message = :message, published_at = :published, expires_at = :end, next_at = if_not_exists(next_at, :next), undelivered_to = if_not_exists(undelivered_to, :to), attempt = if_not_exists(attempt, :none), is_given_up = if_not_exists(is_given_up, :no)',
          ConditionExpression: isNewer,
          ExpressionAttributeValues: {
            ':newest': message.dateTime,
            ':message': messageText(message),
            ':published': publishedAt,
            ':end': expiry(publishedAt),
            ':next': isoTime(nextAt),
            ':to': indexOf(key, false),
            ':none': 0,
            ':no': false,
          },
        }),
      );
    },

    soonest: async (key, { isGivenUp, until, limit }) => {
      const pages = queryNewIndex(client, {
        TableName,
        IndexName: 'undelivered',
        KeyConditionExpression: 'undelivered_to = :to AND next_at <= :until',
        ExpressionAttributeValues: {
          ':to': indexOf(key, isGivenUp),
          // Sorts after every time.
          ':until': until === undefined ? '9' : isoTime(until),
        },
        Limit: limit,
      });
      const found: UndeliveredRow[] = [];
      for await (const { Items = [] } of pages) {
        found.push(...Items.flatMap((item) => rowOf(item) ?? []));
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    },

    take: async (key, { message, nextAt }, { until }) => {
      const taken = await answerIfHeld(
        client.update({
          TableName,
          Key: keyOf(key, message),
          UpdateExpression: 'SET next_at = :until',
          ConditionExpression: isStillAt,
          ExpressionAttributeValues: { ':read': isoTime(nextAt), ':until': isoTime(until) },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return taken?.Attributes && rowOf(taken.Attributes);
    },

    change: async (key, { message, nextAt }, to) => {
      await conditionHeld(
        client.update({
          TableName,
          Key: keyOf(key, message),
          ...attributeUpdate(
            {
              next_at: isoTime(to.nextAt),
              attempt: to.attempt,
              is_given_up: to.isGivenUp,
              undelivered_to: indexOf(key, to.isGivenUp),
              copy_id: to.copy?.id,
              copy_published_at: to.copy?.publishedAt,
            },
            {
              ConditionExpression: isStillAt,
              ExpressionAttributeValues: { ':read': isoTime(nextAt) },
            },
          ),
        }),
      );
    },

    remove: async (key, { message, nextAt }) => {
      await conditionHeld(
        client.delete({
          TableName,
          Key: keyOf(key, message),
          ConditionExpression: isStillNewest,
          ExpressionAttributeValues: { ':read': isoTime(nextAt), ':newest': message.dateTime },
        }),
      );
    },

    noteCopy: async (key, { message, copy, nextAt, isMade }) => {
      await conditionHeld(
        client.update({
          TableName,
          Key: keyOf(key, message),
          UpdateExpression:
            'SET newest = if_not_exists(newest, :newest), message = if_not_exists(message, :message), published_at = if_not_exists(published_at, :published), expires_at = if_not_exists(expires_at, :end), attempt = if_not_exists(attempt, :none), next_at = :next, is_given_up = :no, undelivered_to = :to, copy_id = :copy, copy_published_at = :published',
          ...(!isMade && { ConditionExpression: isThere }),
          ExpressionAttributeValues: {
            ':newest': message.dateTime,
            ':message': messageText(message),
            ':published': copy.publishedAt,
            ':end': expiry(copy.publishedAt),
            ':none': 0,
            ':next': isoTime(nextAt),
            ':no': false,
            ':to': indexOf(key, false),
            ':copy': copy.id,
          },
        }),
      );
    },

    count: async (key, atMost) => {
      let count = 0;
      const pages = queryPages(client, {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': partitionOf(key) },
        Select: 'COUNT',
        Limit: atMost,
      });
      for await (const { Count = 0 } of pages) {
        count += Count;
        if (count >= atMost) break;
      }
      return Math.min(count, atMost);
    },
  };
};
