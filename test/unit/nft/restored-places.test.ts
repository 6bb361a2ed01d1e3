import { describe, expect, it } from 'vitest';
import { copyTable } from '../../../operator/platform/restore/copy-table.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { counterKey, nftKey } from '../../../shared/nft/store/nft-items.ts';
import { nothingUndecided, restoredNfts } from '../../../shared/nft/store/restored-nfts.ts';
import { dynamoDbSupplies } from '../../../shared/nft/store/supplies.ts';
import { plainClient } from '../../simulation/plain-client.ts';
import { createStore } from '../../simulation/store.ts';

const contract: Address = '0x00000000000000000000000000000000000000cc';
const collection = { application: 'one', contract };
const clock = () => 1_800_000_000_000;

/** Tables of tokens: as they are, and as they were at the moment. */
const aWorld = () => {
  const keys = { keys: ['pk', 'sk'] } as const;
  const store = createStore(
    { Nfts: keys, Earlier: keys, Contracts: keys, Transactions: keys, Requests: keys },
    { now: clock },
  );
  const client = plainClient(store);
  const put = (TableName: 'Nfts' | 'Earlier', Item: Record<string, unknown>) =>
    store.put({ TableName, Item });
  const token = (id: number) => nftKey({ ...collection, tokenId: String(id) });
  const counter = () => store.get({ TableName: 'Nfts', Key: counterKey(collection) }).Item;
  /** Restores the tokens while the chain has these ids. */
  const restore = (ids: readonly number[] = []) => {
    const [live, restored] = [
      { client, tableName: 'Nfts' },
      { client, tableName: 'Earlier' },
    ];
    const table = restoredNfts(live, {
      undecided: nothingUndecided(),
      contractsTable: 'Contracts',
      mintedAfter: async (_, after) => ({
        last: after + 1_000,
        ids: ids.filter((id) => id > after),
      }),
    });
    return copyTable({ live, restored, table, isDryRun: false, clock });
  };
  return { store, client, put, token, counter, restore };
};

describe('the used places of a limited supply after a restore', () => {
  it('are those at the moment, those on the chain, and those that only the table promises', async () => {
    const { put, token, counter, restore } = aWorld();
    put('Earlier', { ...counterKey(collection), tokens: 10, taken: 8 });
    put('Nfts', { ...token(11), status: 'confirmed' });
    put('Nfts', { ...token(12), status: 'pending' });
    put('Nfts', { ...token(13), status: 'reserved' });
    put('Nfts', { ...token(14), status: 'failed' });

    await restore([11, 12, 15, 16]);

    expect(counter()?.taken).toBe(8 + 5);
  });

  it('are counted the same where the counter was made after the moment', async () => {
    const { store, put, token, counter, restore } = aWorld();
    store.put({ TableName: 'Contracts', Item: { pk: 'one', sk: contract, maxSupply: 100 } });
    put('Nfts', { ...token(1), status: 'reserved' });
    put('Nfts', { ...token(2), status: 'confirmed' });

    await restore([2, 3]);

    expect(counter()?.taken).toBe(3);
  });

  it('include those of a request that was recorded after the moment, although its tokens are lost', async () => {
    const { client, counter, restore } = aWorld();
    const supplies = dynamoDbSupplies({ client, tableName: 'Earlier' });
    const taking = { ...collection, count: 2, owner: 'a request', takenAt: clock(), maxSupply: 100 };
    const { places } = await supplies.take(taking);

    await restore([1, 2]);
    if (places !== undefined) await dynamoDbSupplies({ client, tableName: 'Nfts' }).giveBack(places);

    expect(counter()?.taken).toBe(2);
  });
});
