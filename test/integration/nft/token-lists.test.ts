import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import type { NftFilter } from '../../../shared/nft/ports/nfts.ts';
import { nftItem } from '../../../shared/nft/store/nft-items.ts';
import { dynamoDbNfts } from '../../../shared/nft/store/nfts.ts';
import type { CollectionKey, Nft } from '../../../shared/nft/tokens/nft.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { receivers } from '../../support/nft/world.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let tableName: string;

const [ana = '0x', bruno = '0x', carla = '0x'] = receivers(3) as [Address, Address, Address];
const mine = { applicationId: 'one', contract: `0x${'1'.repeat(40)}` } as const;
const theirs = { applicationId: 'two', contract: `0x${'2'.repeat(40)}` } as const;

const aToken = (key: CollectionKey, id: number, changes: Partial<Nft>): Nft => ({
  ...key,
  tokenId: String(id),
  destination: bruno,
  metadata: someMetadata(),
  nonce: id,
  transactionHash: '0xab',
  status: 'confirmed',
  createdAt: '2026-11-20T09:15:04.456Z',
  ...changes,
});

const put = async (tokens: readonly Nft[]): Promise<void> => {
  for (let from = 0; from < tokens.length; from += 25) {
    const writes = tokens.slice(from, from + 25).map((nft) => ({ PutRequest: { Item: nftItem(nft) } }));
    await database.documents.batchWrite({ RequestItems: { [tableName]: writes } });
  }
};

beforeAll(async () => {
  database = await startDatabase();
  ({ Nfts: tableName } = await createTables(database, ['Nfts']));
  // Ana owns every fifth of 300 tokens; one of hers failed, and the newest is pending. She has 2,500 in another
  // collection.
  await put(
    Array.from({ length: 300 }, (_, index) => {
      const id = index + 1;
      const status = id === 300 ? 'pending' : id === 5 ? 'failed' : 'confirmed';
      return aToken(mine, id, { destination: id % 5 === 0 ? ana : bruno, status });
    }),
  );
  await put(Array.from({ length: 2_500 }, (_, index) => aToken(theirs, index + 400, { destination: ana })));
});
afterAll(() => database.stop());

/** The ids of the tokens on all pages, and the number of pages. */
const listed = async (
  filter: NftFilter,
  {
    limit = 50,
    client = database.documents,
    key = mine,
  }: {
    readonly limit?: number;
    readonly client?: DocumentClient;
    readonly key?: CollectionKey;
  } = {},
) => {
  const { list } = dynamoDbNfts({ client, tableName });
  const ids: number[] = [];
  let pages = 0;
  for (let after: string | undefined; ; ) {
    const page = await list({ ...key, ...filter, limit, ...(after !== undefined && { after }) });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(({ tokenId }) => Number(tokenId)));
    pages += 1;
    if (page.next === undefined) return { ids, pages };
    after = page.next;
  }
};

const everyFifth = Array.from({ length: 60 }, (_, index) => 300 - 5 * index);

describe('a filtered list of tokens', () => {
  it.each([1, 7, 50, 100])('contains each token once, newest first, in pages of %i', async (limit) => {
    expect((await listed({ destination: ana }, { limit })).ids).toEqual(everyFifth);
    expect((await listed({ status: 'failed' }, { limit })).ids).toEqual([5]);
    expect((await listed({ status: 'pending' }, { limit })).ids).toEqual([300]);
    expect((await listed({ destination: ana, status: 'confirmed' }, { limit })).ids).toEqual(
      everyFifth.slice(1, -1),
    );
    expect((await listed({ destination: carla }, { limit })).ids).toEqual([]);
    expect((await listed({}, { limit })).ids).toHaveLength(300);
  });

  it('reads a limited number of non-matching tokens per page, and continues from there', async () => {
    // The address has 2,500 newer tokens in a collection of another application.
    const { pages } = await listed({ destination: ana });
    expect(pages).toBeGreaterThanOrEqual(4);
    expect(pages).toBeLessThanOrEqual(6);
  });

  it('contains a token although the page ends within tokens of several collections with its id', async () => {
    // The index lists these 999 tokens before the two with the id 1. A page reads 1,000.
    const collections = ['3', '4'].map((digit) => ({ ...mine, contract: `0x${digit.repeat(40)}` }) as const);
    const newer = Array.from({ length: 999 }, (_, index) =>
      aToken(theirs, index + 5_000, { destination: carla }),
    );
    await put([...newer, ...collections.map((key) => aToken(key, 1, { destination: carla }))]);
    // A hundred newer tokens of somebody else, beside which tokens are also read from the table itself.
    const others = collections.flatMap((key) =>
      Array.from({ length: 100 }, (_, index) => aToken(key, index + 2, {})),
    );
    await put(others);

    for (const key of collections) {
      expect((await listed({ destination: carla }, { key })).ids).toEqual([1]);
    }
  });

  it('contains new tokens that are missing in the index', async () => {
    const client: DocumentClient = {
      ...database.documents,
      query: (input) =>
        database.documents.query(
          input.IndexName === undefined
            ? input
            : {
                ...input,
                ExpressionAttributeValues: {
                  ...input.ExpressionAttributeValues,
                  ':pk': 'another collection',
                },
              },
        ),
    };

    const { ids } = await listed({ destination: ana }, { client });

    expect(ids).toEqual(everyFifth.slice(0, 20));
  });

  it('contains the fields of a token without the attributes of the index', async () => {
    const { list } = dynamoDbNfts({ client: database.documents, tableName });

    const { items } = await list({ ...mine, destination: bruno, limit: 1 });

    expect(items).toEqual([aToken(mine, 299, {})]);
  });
});
