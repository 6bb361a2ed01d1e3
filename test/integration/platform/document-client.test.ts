import { randomUUID } from 'node:crypto';
import { BatchGetCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancellationReasons, queryPages, scanPages } from '../../../shared/platform/store/client.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let TableName: string;

beforeAll(async () => {
  database = await startDatabase();
  TableName = (await createTables(database, ['Nfts'])).Nfts;
});

afterAll(() => database.stop());

/** An item with one attribute of each DynamoDB type. */
const everything = (pk: string) => ({
  pk,
  sk: 'all',
  text: 'ä "quoted" \u2028',
  empty: '',
  number: -1.5,
  large: Number.MAX_SAFE_INTEGER,
  yes: true,
  nothing: null,
  bytes: Uint8Array.from([0, 255, 16]),
  names: new Set(['a', 'b']),
  numbers: new Set([1, 2]),
  list: [{ raw: Uint8Array.from([1]) }, [], 'x'],
  Item: { Key: { B: 'an attribute, and no type' }, Items: [1] },
});

const plain = (item: unknown): unknown =>
  JSON.parse(
    JSON.stringify(item, (_name, value) =>
      value instanceof Set
        ? [...value].sort()
        : value?.type === 'Buffer' || value instanceof Uint8Array
          ? Buffer.from(value.data ?? value).toString('hex')
          : value,
    ),
  );

describe('the document client', () => {
  it('writes and reads as the SDK’s', async () => {
    const { documents, sdk } = database;
    const pk = randomUUID();
    await documents.put({ TableName, Item: { ...everything(`${pk}-ours`), left: undefined } });
    await sdk.send(new PutCommand({ TableName, Item: everything(`${pk}-theirs`) }));

    for (const written of [`${pk}-ours`, `${pk}-theirs`]) {
      const Key = { pk: written, sk: 'all' };
      const [ours, theirs] = await Promise.all([
        documents.get({ TableName, Key }),
        sdk.send(new GetCommand({ TableName, Key })),
      ]);
      expect(plain(ours.Item)).toEqual(plain(everything(written)));
      expect(plain(theirs.Item)).toEqual(plain(everything(written)));
      expect(ours.Item?.bytes).toBeInstanceOf(Uint8Array);
    }
  });

  it('finds nothing where nothing is', async () => {
    const { Item } = await database.documents.get({ TableName, Key: { pk: randomUUID(), sk: '-' } });

    expect(Item).toBeUndefined();
  });

  it('updates, and answers what it made of an item', async () => {
    const Key = { pk: randomUUID(), sk: '1' };
    const { Attributes } = await database.documents.update({
      TableName,
      Key,
      UpdateExpression: 'SET #name = :name ADD n :one',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':name': { deep: [1] }, ':one': 1 },
      ReturnValues: 'ALL_NEW',
    });

    expect(Attributes).toEqual({ ...Key, name: { deep: [1] }, n: 1 });
    expect(await database.documents.delete({ TableName, Key, ReturnValues: 'ALL_OLD' })).toMatchObject({
      Attributes: { ...Key, name: { deep: [1] }, n: 1 },
    });
  });

  it('writes and reads batches', async () => {
    const pk = randomUUID();
    const keys = ['1', '2'].map((sk) => ({ pk, sk }));
    const written = await database.documents.batchWrite({
      RequestItems: { [TableName]: keys.map((key) => ({ PutRequest: { Item: { ...key, n: 1 } } })) },
    });
    const RequestItems = { [TableName]: { Keys: [...keys, { pk, sk: '3' }], ConsistentRead: true } };

    const { Responses = {} } = await database.documents.batchGet({ RequestItems });
    const theirs = await database.sdk.send(new BatchGetCommand({ RequestItems }));

    expect(written.UnprocessedItems).toEqual({});
    expect(new Set(Responses[TableName])).toEqual(new Set(keys.map((key) => ({ ...key, n: 1 }))));
    expect(Responses).toEqual(theirs.Responses);
  });

  it('goes through all pages of a query and of a scan', async () => {
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

  it('says why a transaction was cancelled, item by item', async () => {
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

  it('gives a condition that does not hold its name', async () => {
    const Item = { pk: randomUUID(), sk: '1' };

    await expect(
      database.documents.put({ TableName, Item, ConditionExpression: 'attribute_exists(pk)' }),
    ).rejects.toMatchObject({ name: 'ConditionalCheckFailedException', $fault: 'client' });
  });
});
