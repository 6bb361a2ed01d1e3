import { pad } from 'viem';
import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { EventFilter } from '../../../shared/chain/event-log.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import type { BlockId } from '../../../shared/chain/receipt.ts';
import { encodeMint, mintGasLimit } from '../../../shared/nft/collections/collection.ts';
import type { Call } from '../../../shared/nft/ports/chain.ts';
import {
  type FinishRestoreDependencies,
  finishRestore,
} from '../../../shared/nft/restored/finish-restore.ts';
import { type GiveOutcomesDependencies, giveOutcomes } from '../../../shared/nft/restored/give-outcomes.ts';
import { mintedAfter } from '../../../shared/nft/restored/minted-after.ts';
import {
  type SettleReservedDependencies,
  settleReserved,
} from '../../../shared/nft/restored/settle-reserved.ts';
import { counterKey, nftItem, nftKey } from '../../../shared/nft/store/nft-items.ts';
import { dynamoDbNfts } from '../../../shared/nft/store/nfts.ts';
import { mendCounters } from '../../../shared/nft/store/restored-counters.ts';
import { dynamoDbRestoredEntries } from '../../../shared/nft/store/restored-entries.ts';
import { entryItem } from '../../../shared/nft/store/transaction-items.ts';
import { dynamoDbTransactionLog } from '../../../shared/nft/store/transactions.ts';
import {
  type Entry,
  hashesOf,
  isKnownEntry,
  lastAttempt,
  signedOf,
  signerIdOf,
} from '../../../shared/nft/transactions/entry.ts';
import { signAttempt } from '../../../shared/nft/transactions/sign.ts';
import { receiptVerdict } from '../../../shared/nft/waiter/receipt-verdict.ts';
import { plainClient } from '../../simulation/plain-client.ts';
import { createStore } from '../../simulation/store.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { aReceipt } from '../../support/nft/receipt.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const contract: Address = '0x00000000000000000000000000000000000000cc';
const loser: Address = '0x00000000000000000000000000000000000000aa';
const winner: Address = '0x00000000000000000000000000000000000000bb';
const collection = { applicationId: 'one', contract };
const signer = localSigner();
const tables = { contracts: 'Contracts', nfts: 'Nfts', transactions: 'Transactions', requests: 'Requests' };
const clock = () => 1_800_000_000_000;
const at: BlockId = { number: 6, hash: '0x06' };
const nobody = { outcome: 'reverted', reason: 'TokenNotFound' } as const;
const patient = {
  logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  wait: async () => {},
};
const unanswered = () => new ChainUnavailableError({ message: 'No RPC endpoint answers' });
const ownedBy = (owner: Address) => ({ outcome: 'returned', data: pad(owner, { size: 32 }) }) as const;

const entryOf = async (nonce: number, purpose: Entry['purpose']): Promise<Entry> => {
  const from = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
  const call = { to: contract, data: encodeMint({ destination: loser, tokenId: 7n }), gas: mintGasLimit(1) };
  const feeQuote = { maxFeePerGas: 8n, maxPriorityFeePerGas: 8n };
  return {
    signer: from,
    nonce,
    purpose,
    gas: call.gas,
    attempts: [await signAttempt({ signer, clock }, { from, nonce, ...call, feeQuote })],
    status: 'pending',
    missingLooks: 0,
  };
};

const aStore = () => {
  const keys = { keys: ['pk', 'sk'] } as const;
  const store = createStore(
    { Contracts: keys, Nfts: keys, Transactions: keys, Requests: keys },
    { now: clock },
  );
  return { store, client: plainClient(store) };
};

describe('after a restore', () => {
  it('a claim that failed stays failed although the claim of another wallet minted the token since', async () => {
    const claim = { kind: 'claim', ...collection, tokenId: '7', destination: loser } as const;
    const entry = { ...(await entryOf(3, claim)), reopened: 1 };
    const [hash = '0x'] = hashesOf(entry);
    const receipt = aReceipt(hash, { status: 'reverted' });
    const chain = {
      lookUpReceipts: async () => new Map(),
      blockHashes: async () => new Map(),
      hasCode: async () => true,
      call: async () => ownedBy(winner),
      findEvent: async ({ topics: [, , to] }: EventFilter) =>
        to == null || to === pad(winner, { size: 32 })
          ? ({ outcome: 'found', transactionHash: '0x77' } as const)
          : ({ outcome: 'absent' } as const),
      revertReason: async () => 'TokenExists',
    };

    const verdict = await receiptVerdict(
      { chain, transactionLog: { find: async () => undefined } },
      { entry, receipt, at },
    );

    expect(verdict).toMatchObject({ status: 'failed', hash });
  });

  it('a reserved token comes back only when no lost claim of it can be mined any more', async () => {
    let waits = 0;
    const stored: (Address | undefined)[] = [];
    const chain = {
      finalizedBlock: async () => at,
      minedCountAt: async () => 4 + waits,
      call: async () => (waits < 2 ? nobody : ownedBy(winner)),
    };
    const dependencies = {
      chain,
      signers: { find: async () => aSignerState({ nextNonce: 6, finalizedCount: 4 }) },
      contracts: { find: async () => ({ signer: aSignerState().id }) },
      wait: async () => {
        waits += 1;
      },
    } as unknown as SettleReservedDependencies;
    const store = async (owner: Address | undefined) => {
      stored.push(owner);
      return true;
    };

    await settleReserved(dependencies, { lost: [{ ...collection, tokenId: '7', store }], entries: [] });

    expect(stored).toEqual([winner]);
  });

  it('reserved tokens come back although now and then a call is not answered, each after its own answer', async () => {
    let [height, calls] = [0, 0];
    const stored: string[] = [];
    const blocks: number[] = [];
    const dependencies = {
      ...patient,
      chain: {
        finalizedBlock: async () => {
          height += 1;
          return { number: height, hash: '0x06' };
        },
        minedCountAt: async () => 6,
        call: async (_: Call, { number }: BlockId) => {
          calls += 1;
          blocks.push(number);
          if (calls % 10 === 0) throw unanswered();
          return nobody;
        },
      },
      signers: { find: async () => aSignerState({ nextNonce: 6, finalizedCount: 4 }) },
      contracts: { find: async () => ({ signer: aSignerState().id }) },
    } as unknown as SettleReservedDependencies;
    const lost = Array.from({ length: 2_500 }, (_, index) => ({
      ...collection,
      tokenId: String(index),
      store: async () => {
        stored.push(String(index));
        return true;
      },
    }));

    await settleReserved(dependencies, { lost, entries: [] });

    expect(new Set(stored).size).toBe(2_500);
    expect(stored).toHaveLength(2_500);
    for (const block of new Set(blocks)) {
      expect(blocks.filter((number) => number === block).length).toBeLessThanOrEqual(1_000);
    }
  });

  it('a token that a lost claim has minted is not reserved again when another claim of it fails', async () => {
    const { store, client } = aStore();
    const token = { ...collection, tokenId: '7' };
    const [failed, again] = [
      await entryOf(3, { kind: 'claim', ...token, destination: loser }),
      await entryOf(6, { kind: 'claim', ...token, destination: loser }),
    ];
    const stored = nftItem({
      ...token,
      destination: loser,
      metadata: someMetadata(),
      ...signedOf(again),
      status: 'pending',
      createdAt: '2026-11-20T09:15:00.000Z',
    });
    store.put({ TableName: 'Nfts', Item: stored });
    store.put({ TableName: 'Transactions', Item: entryItem(again) });
    const dependencies = {
      chain: {
        finalizedBlock: async () => at,
        minedCountAt: async () => 6,
        call: async () => ownedBy(winner),
      },
      signers: { find: async () => aSignerState({ nextNonce: 6, finalizedCount: 6 }) },
      contracts: { find: async () => ({ signer: again.signer }) },
      nfts: dynamoDbNfts({ client, tableName: 'Nfts' }),
      transactionLog: dynamoDbTransactionLog({ client, tables, pause: async () => {} }),
      restoredEntries: dynamoDbRestoredEntries({ client, tables }),
      // The waiter decides the other claim.
      wait: async () => {
        store.put({ TableName: 'Nfts', Item: { ...stored, status: 'reserved' } });
        store.put({ TableName: 'Transactions', Item: entryItem({ ...again, status: 'failed' }) });
      },
    } as unknown as SettleReservedDependencies;

    await settleReserved(dependencies, { lost: [], entries: [failed] });

    expect(store.get({ TableName: 'Nfts', Key: nftKey(token) }).Item).toMatchObject({
      status: 'confirmed',
      destination: winner,
    });
  });

  it('a reserved token comes back with the outcome of its revocation, which failed since the moment', async () => {
    const { store, client } = aStore();
    const token = { ...collection, tokenId: '7' };
    const revoke = await entryOf(4, { kind: 'revoke', ...token });
    const revocation = { status: 'pending', ...signedOf(revoke) };
    const outcome = {
      status: 'failed',
      minedHash: lastAttempt(revoke).hash,
      failureReason: 'REVERTED',
    } as const;
    store.put({ TableName: 'Transactions', Item: entryItem({ ...revoke, ...outcome, decidedAt: clock() }) });
    const dependencies = {
      chain: { finalizedBlock: async () => at, minedCountAt: async () => 6, call: async () => nobody },
      signers: { find: async () => aSignerState({ nextNonce: 6, finalizedCount: 6 }) },
      contracts: { find: async () => ({ signer: revoke.signer }) },
      transactionLog: dynamoDbTransactionLog({ client, tables, pause: async () => {} }),
      restoredEntries: dynamoDbRestoredEntries({ client, tables }),
    } as unknown as FinishRestoreDependencies;
    const back = async () => {
      const Item = { ...nftKey(token), status: 'reserved', nonce: 0, revocation };
      store.put({ TableName: 'Nfts', Item });
      return true;
    };

    await finishRestore(dependencies, {
      undecided: { entries: [revoke], resources: [], reservations: [{ ...token, store: back }] },
    });

    expect(store.get({ TableName: 'Nfts', Key: nftKey(token) }).Item).toMatchObject({
      status: 'reserved',
      revocation: { status: 'failed', failureReason: 'REVERTED' },
    });
  });

  it('a revocation that a waiter failed because its entry was lost is not repeated when the entry comes back', async () => {
    const { store, client } = aStore();
    const token = { ...collection, tokenId: '7' };
    const revoke = { kind: 'revoke', ...token } as const;
    const [entry, successor] = [await entryOf(4, revoke), await entryOf(9, revoke)];
    const Item = { ...nftKey(token), revocation: { status: 'failed', nonce: 4, failureReason: 'LOST' } };
    store.put({ TableName: 'Nfts', Item });
    store.put({ TableName: 'Transactions', Item: entryItem(entry) });
    const log = dynamoDbTransactionLog({ client, tables, pause: async () => {} });

    expect(await log.supersede({ entry, successor: { ...successor, supersedes: 4 } })).toBe(false);

    expect(await log.find(entry)).toMatchObject({ status: 'superseded' });
    expect(await log.find(successor)).toBeUndefined();
    expect(store.get({ TableName: 'Nfts', Key: nftKey(token) }).Item).toEqual(Item);
  });

  it('an entry is reopened only once by one write, although DynamoDB may execute the write again later', async () => {
    const { store, client } = aStore();
    const revoke = await entryOf(3, { kind: 'revoke', ...collection, tokenId: '7' });
    store.put({ TableName: 'Transactions', Item: entryItem({ ...revoke, status: 'superseded' }) });
    const sent: Parameters<typeof client.update>[0][] = [];
    const update: typeof client.update = (input) => {
      sent.push(input);
      return client.update(input);
    };
    const restored = dynamoDbRestoredEntries({ client: { ...client, update }, tables });
    const log = dynamoDbTransactionLog({ client, tables, pause: async () => {} });
    const known = async () => {
      const entry = await log.find(revoke);
      if (entry === undefined || !isKnownEntry(entry)) throw new Error('The log has no such entry');
      return entry;
    };

    expect(await restored.reopen(await known())).toBe(true);
    expect(await known()).toMatchObject({ status: 'pending', reopened: 1 });
    store.put({ TableName: 'Transactions', Item: entryItem({ ...(await known()), status: 'superseded' }) });
    const [late] = sent;
    if (late === undefined) throw new Error('Nothing was written');
    await expect(client.update(late)).rejects.toThrow('conditional request failed');

    expect(await known()).toMatchObject({ status: 'superseded' });
    expect(await restored.reopen(await known())).toBe(true);
    expect(await known()).toMatchObject({ status: 'pending', reopened: 2 });
  });

  it('an entry that a waiter gives up just before its token is taken back is reopened', async () => {
    const { store, client } = aStore();
    const mint = { kind: 'mint', ...collection, firstTokenId: '7', destinations: [loser] } as const;
    const entry = await entryOf(3, mint);
    const key = nftKey({ ...collection, tokenId: '7' });
    // Its successor had the nonce 9, and is lost.
    store.put({ TableName: 'Nfts', Item: { ...key, status: 'pending', nonce: 9 } });
    store.put({ TableName: 'Transactions', Item: entryItem(entry) });
    const update: typeof client.update = (input) => {
      if (input.TableName === 'Nfts')
        store.put({ TableName: 'Transactions', Item: entryItem({ ...entry, status: 'superseded' }) });
      return client.update(input);
    };
    const dependencies = {
      signers: { find: async () => aSignerState({ nextNonce: 12, finalizedCount: 12 }) },
      transactionLog: dynamoDbTransactionLog({ client, tables, pause: async () => {} }),
      restoredEntries: dynamoDbRestoredEntries({ client: { ...client, update }, tables }),
      supplies: { takeReturned: async () => {} },
    } as unknown as GiveOutcomesDependencies;

    const { undecided } = await giveOutcomes(dependencies, [entry]);

    expect(undecided).toMatchObject([{ nonce: 3, status: 'pending', reopened: 1 }]);
    expect(store.get({ TableName: 'Nfts', Key: key }).Item).toMatchObject({ nonce: 3 });
  });

  it('ids that lost reservations may have had are given to no other token', async () => {
    const { store, client } = aStore();
    store.put({ TableName: 'Contracts', Item: { pk: 'one', sk: contract } });
    const chain = { finalizedBlock: async () => at, call: async () => nobody };

    await mendCounters(
      { client, tableName: 'Nfts' },
      {
        contractsTable: 'Contracts',
        mintedAfter: (key, after) => mintedAfter({ ...patient, chain }, key, after),
      },
    );

    const { Item } = store.get({ TableName: 'Nfts', Key: counterKey(collection) });
    expect(Item?.tokens).toBeGreaterThan(100_000);
  });

  it('a counter that a mint has begun anew since the loss is raised above the ids that the chain has', async () => {
    const { store, client } = aStore();
    store.put({ TableName: 'Contracts', Item: { pk: 'one', sk: contract, maxSupply: 9_000 } });
    store.put({
      TableName: 'Nfts',
      Item: { ...counterKey(collection), tokens: 95, taken: 95, 'places#1#95#request': 95 },
    });
    const ids = Array.from({ length: 4_905 }, (_, index) => index + 96);
    const chain = {
      finalizedBlock: async () => at,
      call: async ({ data }: Call) =>
        ids.includes(Number(`0x${data.slice(10)}`)) ? ownedBy(winner) : nobody,
    };
    const mend = () =>
      mendCounters(
        { client, tableName: 'Nfts' },
        {
          contractsTable: 'Contracts',
          mintedAfter: (key, after) => mintedAfter({ ...patient, chain }, key, after),
        },
      );

    await mend();
    const { Item } = store.get({ TableName: 'Nfts', Key: counterKey(collection) });
    await mend();

    expect(Item?.tokens).toBeGreaterThan(105_000);
    expect(Item).toEqual({ ...counterKey(collection), tokens: Item?.tokens, taken: 95 + ids.length });
    expect(store.get({ TableName: 'Nfts', Key: counterKey(collection) }).Item).toEqual(Item);
  });

  it('ids are looked up again that no endpoint tells, as of blocks whose state nodes still have', async () => {
    let [height, refused] = [0, 0];
    const asked: number[] = [];
    const chain = {
      finalizedBlock: async (): Promise<BlockId> => {
        height += 1;
        if (height === 2) throw unanswered();
        return { number: height, hash: '0x06' };
      },
      call: async ({ data }: Call, { number }: BlockId) => {
        asked.push(number);
        if (asked.length % 7 === 0) {
          refused += 1;
          throw unanswered();
        }
        return Number(`0x${data.slice(10)}`) <= 4_000 ? ownedBy(winner) : nobody;
      },
    };

    const { ids } = await mintedAfter({ ...patient, chain }, collection, 0);

    expect(ids.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 4_000 }, (_, index) => index + 1),
    );
    expect(asked).toHaveLength(4_200 + refused);
    for (const block of new Set(asked)) {
      expect(asked.filter((number) => number === block).length).toBeLessThanOrEqual(1_000);
    }
  });

  it('a counter is mended although the chain has very many ids above it', async () => {
    const { store, client } = aStore();
    store.put({ TableName: 'Contracts', Item: { pk: 'one', sk: contract } });
    store.put({ TableName: 'Nfts', Item: { ...counterKey(collection), tokens: 1 } });
    const ids = Array.from({ length: 300_000 }, (_, index) => index + 2);

    await mendCounters(
      { client, tableName: 'Nfts' },
      { contractsTable: 'Contracts', mintedAfter: async () => ({ last: 400_000, ids }) },
    );

    expect(store.get({ TableName: 'Nfts', Key: counterKey(collection) }).Item?.tokens).toBe(400_000);
  });

  it('a mint that was repeated belongs to its successor although its token came back with a revocation', async () => {
    const { store, client } = aStore();
    const mint = { kind: 'mint', ...collection, firstTokenId: '7', destinations: [loser] } as const;
    const [entry, successor] = [await entryOf(3, mint), await entryOf(9, mint)];
    const key = nftKey({ ...collection, tokenId: '7' });
    const revocation = { status: 'pending', nonce: 4 };
    store.put({ TableName: 'Nfts', Item: { ...key, status: 'pending', nonce: 3, revocation } });
    await dynamoDbRestoredEntries({ client, tables }).handOverResources(entry, successor);

    const { Item } = store.get({ TableName: 'Nfts', Key: key });
    expect(Item).toMatchObject({ nonce: 9, transactionHash: lastAttempt(successor).hash });
  });
});
