import { describe, expect, it } from 'vitest';
import { copyTable } from '../../../operator/stage/restore/copy-table.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import { type GiveOutcomesDependencies, giveOutcomes } from '../../../shared/nft/restored/give-outcomes.ts';
import { nothingUndecided } from '../../../shared/nft/restored/undecided.ts';
import { counterKey, nftItem, nftKey } from '../../../shared/nft/store/nft-items.ts';
import { dynamoDbNfts } from '../../../shared/nft/store/nfts.ts';
import { dynamoDbRestoredEntries } from '../../../shared/nft/store/restored-entries.ts';
import { restoredNfts } from '../../../shared/nft/store/restored-nfts.ts';
import { dynamoDbSupplies } from '../../../shared/nft/store/supplies.ts';
import { entryItem } from '../../../shared/nft/store/transaction-items.ts';
import { dynamoDbTransactionLog } from '../../../shared/nft/store/transactions.ts';
import type { Entry } from '../../../shared/nft/transactions/entry.ts';
import { giveBackPlaces } from '../../../shared/nft/waiter/give-back-places.ts';
import { plainClient } from '../../simulation/plain-client.ts';
import { createStore } from '../../simulation/store.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const contract: Address = '0x00000000000000000000000000000000000000cc';
const collection = { applicationId: 'one', contract };
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
  const find = (id: number) => store.get({ TableName: 'Nfts', Key: token(id) }).Item;
  const counter = () => store.get({ TableName: 'Nfts', Key: counterKey(collection) }).Item;
  /** Restores the tokens while the chain has these ids. */
  const restore = async (ids: readonly number[] = []) => {
    const undecided = nothingUndecided();
    const [live, restored] = [
      { client, tableName: 'Nfts' },
      { client, tableName: 'Earlier' },
    ];
    const table = restoredNfts(live, {
      undecided,
      contractsTable: 'Contracts',
      mintedAfter: async (_, after) => ({
        last: after + 1_000,
        ids: ids.filter((id) => id > after),
      }),
    });
    await copyTable({ live, restored, table, clock });
    // The chain has no owner of a token that is still reserved.
    for (const { store: bringBack } of undecided.reservations) await bringBack(undefined);
  };
  return { store, client, put, token, find, counter, restore };
};

const tables = { contracts: 'Contracts', nfts: 'Nfts', transactions: 'Transactions', requests: 'Requests' };
const mint: Entry = {
  signer: aSignerState().id,
  nonce: 3,
  purpose: { kind: 'mint', ...collection, firstTokenId: '7', destinations: [contract, contract] },
  gas: 1n,
  attempts: [{ hash: '0x07', raw: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, signedAt: clock() }],
  status: 'pending',
  missingLooks: 0,
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

  it('include those of a request that left its mark, although its tokens are lost', async () => {
    const { store, client, counter, restore } = aWorld();
    store.put({ TableName: 'Contracts', Item: { pk: 'one', sk: contract, maxSupply: 100 } });
    const supplies = dynamoDbSupplies({ client, tableName: 'Nfts' });
    const taking = { ...collection, count: 2, owner: 'a request', takenAt: clock(), maxSupply: 100 };
    const { places } = await supplies.take(taking);

    await restore();
    // Another mint does not find the tokens of the mark.
    if (places !== undefined) await supplies.giveBack(places);

    expect(counter()).toMatchObject({ tokens: 2, taken: 2 });
  });

  it('are not given back again where the counter was begun anew and places had been given back before', async () => {
    const { client, put, counter, restore } = aWorld();
    const earlier = dynamoDbSupplies({ client, tableName: 'Earlier' });
    const failed = { ...collection, firstTokenId: '7', count: 2 };
    put('Earlier', { ...counterKey(collection), tokens: 10, taken: 8 });
    await earlier.giveBackFailed(failed);
    put('Nfts', { ...counterKey(collection), tokens: 1, taken: 1 });

    await restore();
    await dynamoDbSupplies({ client, tableName: 'Nfts' }).giveBackFailed(failed);

    expect(counter()?.taken).toBe(6 + 1);
  });

  it.each(['in the log', 'in its tokens'])(
    'are fewer once by those of a mint that has failed since, as is known from what is %s',
    async (where) => {
      const { store, client, put, counter } = aWorld();
      const status = where === 'in the log' ? 'pending' : 'failed';
      put('Nfts', { ...counterKey(collection), tokens: 8, taken: 8 });
      for (const id of [7, 8]) {
        put(
          'Nfts',
          nftItem({
            ...collection,
            tokenId: String(id),
            destination: contract,
            metadata: someMetadata(),
            nonce: 3,
            transactionHash: '0x07',
            status,
            createdAt: '2026-11-20T09:15:00.000Z',
          }),
        );
      }
      const failed: Entry = { ...mint, status: 'failed', minedHash: '0x07', failureReason: 'REVERTED' };
      const logged = where === 'in the log' ? failed : mint;
      store.put({ TableName: 'Transactions', Item: entryItem(logged) });
      const dependencies = {
        transactionLog: dynamoDbTransactionLog({ client, tables, pause: async () => {} }),
        nfts: dynamoDbNfts({ client, tableName: 'Nfts' }),
        supplies: dynamoDbSupplies({ client, tableName: 'Nfts' }),
        restoredEntries: dynamoDbRestoredEntries({ client, tables }),
        clock,
      } as unknown as GiveOutcomesDependencies;

      for (const entries of [[mint], [mint]]) await giveOutcomes(dependencies, entries);

      expect(counter()?.taken).toBe(6);
    },
  );

  it('stay taken of the tokens of a failed mint that are lost, or that another mint has', async () => {
    const { client, put, counter } = aWorld();
    put('Nfts', { ...counterKey(collection), tokens: 9, taken: 9 });
    for (const [id, nonce] of [
      [7, 3],
      [9, 4],
    ] as const) {
      put(
        'Nfts',
        nftItem({
          ...collection,
          tokenId: String(id),
          destination: contract,
          metadata: someMetadata(),
          nonce,
          transactionHash: '0x07',
          status: 'pending',
          createdAt: '2026-11-20T09:15:00.000Z',
        }),
      );
    }
    const entry: Entry = {
      ...mint,
      purpose: {
        kind: 'mint',
        ...collection,
        firstTokenId: '7',
        destinations: [contract, contract, contract],
      },
    };

    await giveBackPlaces(
      {
        nfts: dynamoDbNfts({ client, tableName: 'Nfts' }),
        supplies: dynamoDbSupplies({ client, tableName: 'Nfts' }),
      },
      { entry, verdict: { status: 'failed', hash: '0x07', reason: 'REVERTED' }, at: clock() },
    );

    expect(counter()?.taken).toBe(8);
  });
});

describe('a reserved token whose id another mint took because the counter was lost', () => {
  const reserved = { status: 'reserved', nonce: -1, reservedFor: 'ana' };

  it('comes back when that mint has failed', async () => {
    const { put, token, find, restore } = aWorld();
    put('Earlier', { ...token(7), ...reserved });
    put('Nfts', { ...token(7), status: 'failed', nonce: 4 });

    await restore();

    expect(find(7)).toMatchObject(reserved);
  });

  it('stays revoked if it was revoked after the moment', async () => {
    const { put, token, find, restore } = aWorld();
    put('Earlier', { ...token(7), ...reserved });
    put('Nfts', { ...token(7), ...reserved, status: 'failed' });

    await restore();

    expect(find(7)).toMatchObject({ status: 'failed' });
  });
});
