import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dynamoDbHeldTokens } from '../../../shared/nft/store/held-tokens.ts';
import { dynamoDbRedeliveries } from '../../../shared/notifications/store/redeliveries.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { type DocumentClient, queryPages } from '../../../shared/platform/store/client.ts';
import { queryNewIndex } from '../../../shared/platform/store/new-index.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
/** A table that has none of the indexes below. */
let tableName: string;
beforeAll(async () => {
  database = await startDatabase();
  tableName = (await createTables(database, ['Contracts'])).Contracts;
});
afterAll(() => database.stop());
afterEach(() => vi.restoreAllMocks());

const all = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};

const queryOf = (IndexName: string) => ({
  TableName: tableName,
  IndexName,
  KeyConditionExpression: 'a = :a',
  ExpressionAttributeValues: { ':a': 'a' },
});

/** A client whose queries get this error, as the SDK makes it of DynamoDB's answer. */
const refusing = async (message: string): Promise<Pick<DocumentClient, 'query'>> => {
  const [error] = await Promise.allSettled([all(queryPages(database.documents, queryOf('by_a')))]);
  if (error.status === 'fulfilled') throw new Error('The query was answered');
  return { query: () => Promise.reject(Object.assign(error.reason, { message })) };
};

describe('a query of an index that is not there yet', () => {
  it.each<[string, (from: { client: DocumentClient; tableName: string }) => Promise<readonly unknown[]>]>([
    ['events that are due, for lists', (from) => dynamoDbEvents(from).eventsDue({ until: 0 })],
    ['events that are due, to store them', (from) => all(dynamoDbCatalogue(from).changesDue({ until: 0 }))],
    ['reserved tokens', (from) => all(dynamoDbHeldTokens(from).heldBy({ holder: 'ana' }))],
    ['endpoints that are due', (from) => dynamoDbRedeliveries(from).due(0)],
    [
      'what an endpoint has not accepted',
      (from) =>
        dynamoDbUndelivered(from).soonest(
          { applicationId: 'club', id: 'main' },
          { isGivenUp: false, limit: 1 },
        ),
    ],
  ])('finds nothing: %s', async (_, read) => {
    vi.spyOn(logger, 'warn').mockReturnValue();

    expect(await read({ client: database.documents, tableName })).toEqual([]);
  });

  it('finds nothing while DynamoDB fills the index, and logs this once', async () => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const client = await refusing('Cannot read from backfilling global secondary index: by_b');

    for (const _ of [1, 2]) expect(await all(queryNewIndex(client, queryOf('by_b')))).toEqual([]);

    const fields = { code: 'INDEX_NOT_THERE', table: tableName, index: 'by_b' };
    expect(told.mock.calls).toEqual([[expect.any(String), fields]]);
  });

  it('throws whatever else DynamoDB refuses', async () => {
    const client = await refusing('Query condition missed key schema element: b');

    await expect(all(queryNewIndex(client, queryOf('by_b')))).rejects.toThrow('missed key schema element');
  });
});
