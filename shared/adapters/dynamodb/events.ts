import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Event } from '../../ott/event.ts';
import { eventRecord, eventRecordSchema } from '../../ott/event-record.ts';
import type { EventRepository } from '../../ott/ports/event-repository.ts';
import { placeOf, type Shelf, shelvesOf } from '../../ott/shelves.ts';

/** Names of the indexes: every event by its shelf, and those that lift their client's geoblocking. */
const indexes = { all: 'by_start', lifted: 'lifted_by_start' } as const;
const shelfAttributes = { all: 'shelf', lifted: 'lifted_shelf' } as const;

const eventKey = (id: string) => ({ pk: `EVENT#${id}` });
const shelfKey = ({ status, access }: Shelf) => `${status}#${access}`;

/** Around every place: places begin with a digit, which these two come before and after. */
const beforeAll = '!';
const afterAll = ':';

const isInRange = '#shelf = :shelf AND place BETWEEN :low AND :high';

/** Events as one item each. Only the shelves that an event stands on are attributes of their own. */
export const dynamoDbEvents = ({
  client,
  tableName,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
}): EventRepository => ({
  find: async (id) => {
    const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: eventKey(id) }));
    return Item === undefined ? undefined : eventRecordSchema.parse(Item.event);
  },

  readShelf: async ({ shelf, after, from, to, limit }) => {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: indexes[shelf.part],
        KeyConditionExpression: isInRange,
        ExpressionAttributeNames: { '#shelf': shelfAttributes[shelf.part] },
        ExpressionAttributeValues: {
          ':shelf': shelfKey(shelf),
          ':low': from ?? beforeAll,
          // A place is longer than the moment that it begins with, so events that start at `to` come after it.
          ':high': after ?? to ?? afterAll,
        },
        ScanIndexForward: false,
        // The range takes in `after` itself, which may have been deleted or moved since.
        Limit: after === undefined ? limit : limit + 1,
      }),
    );
    const events = Items.filter(({ place }) => place !== after).map(({ event }) =>
      eventRecordSchema.parse(event),
    );
    return { events, more: LastEvaluatedKey !== undefined };
  },

  save: async (event) => {
    const { Attributes } = await client.send(
      new PutCommand({ TableName: tableName, Item: itemOf(event), ReturnValues: 'ALL_OLD' }),
    );
    if (Attributes === undefined) return 'created';
    return isDeepStrictEqual(Attributes, itemOf(event)) ? 'unchanged' : 'replaced';
  },
});

/** The item of an event, for whoever writes many at once. */
export const itemOf = (event: Event): Record<string, unknown> => ({
  ...eventKey(event.id),
  place: placeOf(event),
  ...Object.fromEntries(shelvesOf(event).map((shelf) => [shelfAttributes[shelf.part], shelfKey(shelf)])),
  event: eventRecord(event),
});
