import { queryPages, type Table } from '../../platform/store/client.ts';
import { queryNewIndex } from '../../platform/store/new-index.ts';
import { effectiveStream } from '../events/effective.ts';
import type { Event } from '../events/event.ts';
import { isEventId } from '../events/event-schema.ts';
import { isUnderstood } from '../events/later-fields.ts';
import type { EventRepository, PartitionRange } from '../ports/event-repository.ts';
import {
  dueQuery,
  eventIdOf,
  eventKey,
  eventOf,
  indexes,
  partitionAttributes,
  partitionKeyOf,
} from './event-items.ts';

/** Every position lies between these bounds: it begins with a digit, and digits sort between these two characters. */
const beforeAll = '!';
const afterAll = ':';

const isInRange = '#partition = :partition AND place BETWEEN :low AND :high';
const isOpenToKnown =
  'attribute_not_exists(own_mode) OR (own_mode = :block AND NOT contains(own_countries, :country)) OR (own_mode = :allow AND contains(own_countries, :country))';
const isOpenToUnknown = 'attribute_not_exists(own_mode)';

/** No event can have this id. */
const noId = '#';

/** How many streams one query reads. Usually only the event's own stream is found. */
const streamsAtOnce = 10;

const isUnder = 'stream_host = :host AND begins_with(stream_path, :path)';
const isAt = 'stream_host = :host AND stream_path = :path';

/** Filters out events whose own rule blocks the country. If the country is unknown, every rule blocks it. */
const openTo = (country: PartitionRange['country']) => {
  if (country === 'everywhere') return { values: {} };
  if (country === undefined) return { FilterExpression: isOpenToUnknown, values: {} };
  return {
    FilterExpression: isOpenToKnown,
    values: { ':block': 'block', ':allow': 'allow', ':country': country },
  };
};

export const dynamoDbEvents = ({ client, tableName }: Table): EventRepository => {
  const find: EventRepository['find'] = async (id) => {
    const { Item } = await client.get({
      TableName: tableName,
      // An impossible id is looked up too, under a key that no event has, so that the response takes as long as for a
      // missing event.
      Key: eventKey(isEventId(id) ? id : noId),
      ConsistentRead: true,
      ProjectionExpression: '#event',
      ExpressionAttributeNames: { '#event': 'event' },
    });
    if (Item === undefined) return undefined;
    lastFound = id;
    return eventOf(Item.event);
  };
  let lastFound = noId;

  return {
    find,
    findCounterpart: async (found) => void (await find(found === undefined ? lastFound : noId)),

    readPartition: async ({ partition, country, after, from, to, limit }) => {
      const { values, ...filter } = openTo(country);
      const {
        Items = [],
        LastEvaluatedKey,
        ScannedCount = 0,
      } = await client.query({
        TableName: tableName,
        IndexName: indexes[partition.part],
        KeyConditionExpression: isInRange,
        ...filter,
        ProjectionExpression: 'place, #event',
        ExpressionAttributeNames: { '#partition': partitionAttributes[partition.part], '#event': 'event' },
        ExpressionAttributeValues: {
          ':partition': partitionKeyOf(partition),
          ':low': from ?? beforeAll,
          // The range includes `high`, but no event that starts at `to`. An event's position is its start time followed
          // by `#` and its id, so the position of an event that starts at `to` sorts after `to`.
          ':high': after ?? to ?? afterAll,
          ...values,
        },
        ScanIndexForward: false,
        // If `after` is set, the query's range includes the event at `after`, which was on the previous page. So one
        // more event is read. That event may be missing, because it was deleted or moved meanwhile.
        Limit: after === undefined ? limit : limit + 1,
      });
      const events = Items.filter(({ place }) => place !== after).flatMap(
        ({ event }) => eventOf(event) ?? [],
      );
      const readUpTo = LastEvaluatedKey?.place ?? Items.at(-1)?.place;
      return {
        events,
        readUpTo: readUpTo === undefined ? undefined : String(readUpTo),
        reads: ScannedCount,
        more: LastEvaluatedKey !== undefined,
      };
    },

    eventsDue: async ({ until }) => {
      const due: Event[] = [];
      const pages = queryNewIndex(client, {
        ...dueQuery({ tableName, until }),
        ProjectionExpression: '#event',
        ExpressionAttributeNames: { '#event': 'event' },
      });
      for await (const { Items = [] } of pages)
        due.push(...Items.flatMap(({ event }) => eventOf(event) ?? []));
      return due;
    },

    streamsUnder: async function* ({ host, path, isPrefix }) {
      const pages = queryPages(client, {
        TableName: tableName,
        IndexName: indexes.streams,
        KeyConditionExpression: isPrefix ? isUnder : isAt,
        ExpressionAttributeValues: { ':host': host, ':path': path },
        Limit: streamsAtOnce,
      });
      for await (const { Items = [] } of pages) {
        for (const { pk, event: text } of Items) {
          const event = eventOf(text);
          const stream = event !== undefined && isUnderstood(event) ? effectiveStream(event) : undefined;
          yield { eventId: eventIdOf(pk), stream };
        }
      }
    },
  };
};
