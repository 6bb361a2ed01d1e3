import { isEventId } from '../../ott/event-record.ts';
import type { EventRepository, PartitionRange } from '../../ott/ports/event-repository.ts';
import { type DocumentClient, queryPages } from './client.ts';
import { eventKey, eventOf, indexes, partitionAttributes, partitionKeyOf } from './event-items.ts';

/** Bounds around every position: positions begin with a digit, which these two surround. */
const beforeAll = '!';
const afterAll = ':';

const isInRange = '#partition = :partition AND place BETWEEN :low AND :high';
const isOpenToKnown =
  'attribute_not_exists(own_mode) OR (own_mode = :block AND NOT contains(own_countries, :country)) OR (own_mode = :allow AND contains(own_countries, :country))';
const isOpenToUnknown = 'attribute_not_exists(own_mode)';

/** A value that no event has as its id. */
const noId = '#';

/** One is the event itself; usually there is no other. */
const streamsAtOnce = 10;

const isUnder = 'stream_host = :host AND begins_with(stream_path, :path)';
const isAt = 'stream_host = :host AND stream_path = :path';

/** Where an own rule applies, an unknown country is blocked. */
const openTo = (country: PartitionRange['country']) => {
  if (country === 'everywhere') return { values: {} };
  if (country === undefined) return { FilterExpression: isOpenToUnknown, values: {} };
  return {
    FilterExpression: isOpenToKnown,
    values: { ':block': 'block', ':allow': 'allow', ':country': country },
  };
};

/** The catalogue as the calls read it. */
export const dynamoDbEvents = ({
  client,
  tableName,
}: {
  readonly client: DocumentClient;
  readonly tableName: string;
}): EventRepository => {
  const find: EventRepository['find'] = async (id) => {
    const { Item } = await client.get({
      TableName: tableName,
      // An id that cannot exist is looked up all the same, under a key that no event has, so that it takes as long.
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
          // A position is longer than the instant it begins with, so events that start at `to` come after it.
          ':high': after ?? to ?? afterAll,
          ...values,
        },
        ScanIndexForward: false,
        // The range includes `after` itself, which may have been deleted or moved since.
        Limit: after === undefined ? limit : limit + 1,
      });
      const events = Items.filter(({ place }) => place !== after).map(({ event }) => eventOf(event));
      const readUpTo = LastEvaluatedKey?.place ?? Items.at(-1)?.place;
      return {
        events,
        readUpTo: readUpTo === undefined ? undefined : String(readUpTo),
        reads: ScannedCount,
        more: LastEvaluatedKey !== undefined,
      };
    },

    streamsUnder: async function* ({ host, path, writtenPath, isPrefix }) {
      // Events stored by older releases have their path undecoded.
      for (const each of new Set([path, writtenPath])) {
        const pages = queryPages(client, {
          TableName: tableName,
          IndexName: indexes.streams,
          KeyConditionExpression: isPrefix ? isUnder : isAt,
          ExpressionAttributeValues: { ':host': host, ':path': each },
          Limit: streamsAtOnce,
        });
        for await (const { Items = [] } of pages) {
          for (const { event } of Items) {
            const { id, stream } = eventOf(event);
            if (stream !== undefined) yield { eventId: id, stream };
          }
        }
      }
    },
  };
};
