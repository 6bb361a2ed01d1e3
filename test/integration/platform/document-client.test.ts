import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerIfHeld,
  cancellationReasons,
  queryPages,
  scanPages,
} from '../../../shared/platform/store/client.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let TableName: string;

beforeAll(async () => {
  database = await startDatabase();
  TableName = (await createTables(database, ['Nfts'])).Nfts;
});

afterAll(() => database.stop());

describe('the document client', () => {
  it('reads all pages of a query and of a scan', async () => {
    const pk = randomUUID();
    const sks = ['1', '2', '3', '4', '5'];
    for (const sk of sks) await database.documents.put({ TableName, Item: { pk, sk } });
    const found: string[] = [];
    let pages = 0;
    for await (const { Items = [] } of queryPages(database.documents, {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      Limit: 2,
    })) {
      pages += 1;
      found.push(...Items.map(({ sk }) => String(sk)));
    }
    const scanned: unknown[] = [];
    const filter = { FilterExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
    for await (const { Items = [] } of scanPages(database.documents, { TableName, ...filter, Limit: 2 })) {
      scanned.push(...Items);
    }

    expect(found).toEqual(sks);
    expect(pages).toBe(3);
    expect(scanned).toHaveLength(5);
  });

  it('returns the reason of a cancelled transaction for each item', async () => {
    const pk = randomUUID();
    await database.documents.put({ TableName, Item: { pk, sk: 'taken' } });
    const write = database.documents.transactWrite({
      TransactItems: ['free', 'taken'].map((sk) => ({
        Put: { TableName, Item: { pk, sk }, ConditionExpression: 'attribute_not_exists(pk)' },
      })),
    });

    const error = await write.catch((caught: unknown) => caught);

    expect(cancellationReasons(error)?.map(({ Code }) => Code)).toEqual(['None', 'ConditionalCheckFailed']);
    const { Item } = await database.documents.get({ TableName, Key: { pk, sk: 'free' } });
    expect(Item).toBeUndefined();
  });

  it('returns undefined if the condition of a write fails, and throws any other error', async () => {
    const Item = { pk: randomUUID(), sk: '1' };
    const written = (condition: string) =>
      answerIfHeld(database.documents.put({ TableName, Item, ConditionExpression: condition }));

    expect(await written('attribute_exists(pk)')).toBeUndefined();
    expect(await written('attribute_not_exists(pk)')).toBeDefined();
    await expect(written('no condition')).rejects.toMatchObject({ name: 'ValidationException' });
  });
});
