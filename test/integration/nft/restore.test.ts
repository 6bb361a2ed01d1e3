import { isDeepStrictEqual } from 'node:util';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import { counterKey, entryKey, nftKey } from '../../../shared/nft/store/nft-items.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { type Entry, lastAttempt } from '../../../shared/nft/transactions/entry.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { expectInvariants, type Promised } from '../../support/nft/invariants.ts';
import { mintedIds } from '../../support/nft/minted-ids.ts';
import { type KeptNfts, restoreNfts, toldDecisions } from '../../support/nft/restoring.ts';
import { receiver, startWorld, type World } from '../../support/nft/world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { itemsIn, keepTables } from '../../support/platform/kept-tables.ts';

/** A usual search for events goes back as far. */
const eventBlocks = 50;
const patience = { interval: 50 };

let database: TestDatabase;
let world: World;
let contract: Contract;
let minted: number;

beforeAll(async () => {
  database = await startDatabase();
});
beforeEach(async () => {
  world = await startWorld({ database, passMilliseconds: 1_000, eventBlocks });
  contract = await world.deploy();
  await world.untilFinal();
  minted = 0;
});
afterEach(() => world.stop());
afterAll(() => database.stop());

const mint = async (): Promise<Promised> => {
  minted += 1;
  const key = `key ${minted}`;
  return { nft: await world.mint({ contract: contract.address, key }), key };
};

const keep = async (): Promise<KeptNfts> => {
  const { Signers: _, ...tables } = world.tables;
  return keepTables(database, tables);
};

const entryOf = (nonce: number) => world.ports.transactionLog.find({ signer: world.signerId, nonce });

/** The item of the idempotency key with which the token was minted. */
const keyItemOf = async ({ tokenId, contract: address }: Nft) => {
  const items = await itemsIn(database, world.tables.Requests);
  return items.find(({ result }) =>
    isDeepStrictEqual(result, { kind: 'nfts', address, from: tokenId, to: tokenId }),
  );
};

/** Deletes the token, its log entry and its idempotency key. */
const lose = async ({ nft }: Promised): Promise<void> => {
  const { Nfts, Transactions, Requests } = world.tables;
  const request = await keyItemOf(nft);
  await database.documents.delete({ TableName: Nfts, Key: nftKey(nft) });
  await database.documents.delete({
    TableName: Transactions,
    Key: entryKey({ signer: world.signerId, nonce: nft.nonce }),
  });
  await database.documents.delete({ TableName: Requests, Key: { pk: request?.pk, sk: request?.sk } });
};

const restore = (kept: KeptNfts, client: DocumentClient = database.documents) =>
  restoreNfts(world, {
    kept,
    client,
    // As the record of notifications has it.
    toldAbout: async ({ nonce }) =>
      (await toldDecisions(database, world)).filter((told) => told.nonce === nonce),
  });

/** Customers who are notified once more of a transaction are told the same, with its first time. */
const expectToldTheSame = async (): Promise<void> => {
  const told = await toldDecisions(database, world);
  const first = told.map(({ nonce }) => told.find((one) => one.nonce === nonce));
  expect(told).toEqual(first);
};

/** Dies after this many writes, as if the command was killed. */
const dyingAfter = (writes: number): DocumentClient => {
  let left = writes;
  const dying =
    <Input, Answer>(call: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer> => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return call(input);
    };
  const { put, update, transactWrite } = database.documents;
  return {
    ...database.documents,
    put: dying(put),
    update: dying(update),
    transactWrite: dying(transactWrite),
  };
};

describe('tables that are restored while customers mint', () => {
  it('contain every promised token again, minted once, although the command is killed at its first write, its second, and so on until one run ends', async () => {
    const before = [];
    for (let index = 0; index < 8; index += 1) before.push(await mint());
    const kept = await keep();
    const atKept = await itemsIn(database, kept.Transactions);
    expect(atKept.some(({ status }) => status === 'pending')).toBe(true);
    await world.untilFinal();
    const after = await mint();
    for (const each of before.filter((_, index) => index % 2 === 1)) await lose(each);

    let isRestoring = true;
    const meanwhile: Promised[] = [];
    const minting = (async () => {
      while (isRestoring) meanwhile.push(await mint());
    })();
    let kills = 0;
    const nonceTaken = await (async () => {
      for (;;) {
        try {
          return (await restore(kept, dyingAfter(kills))).nonceTaken;
        } catch (error) {
          expect(String(error)).toContain('killed');
          kills += 1;
        }
      }
    })();
    expect(kills).toBeGreaterThan(3);
    isRestoring = false;
    await minting;
    await world.untilFinal();

    expect(nonceTaken).toEqual([]);
    await expectInvariants(world, { contract, promised: [...before, after, ...meanwhile] });
    await expectToldTheSame();
  });

  it('do not change in another run of the command', async () => {
    const before = [await mint(), await mint()];
    const kept = await keep();
    await world.untilFinal();
    for (const each of before) await lose(each);
    await restore(kept);
    const ended = await Promise.all(Object.values(world.tables).map((name) => itemsIn(database, name)));

    const { counts } = await restore(kept);

    expect(counts.filter(({ written }) => written > 0)).toEqual([]);
    expect(await Promise.all(Object.values(world.tables).map((name) => itemsIn(database, name)))).toEqual(
      ended,
    );
  });

  it('leave transactions that are not final to the waiter, and customers are notified of them once', async () => {
    await world.anvil.rpc('evm_setIntervalMining', 0);
    const promised = [await mint(), await mint()];
    const kept = await keep();
    for (const each of promised) await lose(each);

    const { undecided } = await restore(kept);
    await world.anvil.rpc('evm_setIntervalMining', 1);
    await world.untilFinal();

    expect(undecided).toHaveLength(2);
    await expectInvariants(world, { contract, promised });
    const told = (await toldDecisions(database, world)).map(({ nonce }) => nonce);
    expect(told.filter((nonce) => nonce >= (promised[0]?.nft.nonce ?? 0))).toEqual(
      promised.map(({ nft }) => nft.nonce),
    );
  });

  it('contain the lost transaction again, even if a waiter has filled its nonce in the meantime', async () => {
    const promised = await mint();
    const kept = await keep();
    await lose(promised);
    const { nonce } = promised.nft;
    void world.watch();
    await waitFor(
      async () =>
        expect(await entryOf(nonce)).toMatchObject({ purpose: { kind: 'noop' }, status: 'superseded' }),
      patience,
    );

    await restore(kept);
    await world.untilFinal();

    expect(await entryOf(nonce)).toMatchObject({ purpose: { kind: 'mint' }, status: 'confirmed' });
    await expectInvariants(world, { contract, promised: [promised] });
    await expectToldTheSame();
  });

  it('repeat a transaction with a new nonce if another transaction has used its nonce', async () => {
    await world.anvil.rpc('evm_setIntervalMining', 0);
    const promised = await mint();
    const kept = await keep();
    await lose(promised);
    await world.anvil.rpc('anvil_dropTransaction', promised.nft.transactionHash);
    const from = (await world.ports.signer.address()).toLowerCase();
    await world.anvil.rpc('eth_sendTransaction', { from, to: from, value: '0x0' });
    await world.anvil.rpc('evm_setIntervalMining', 1);
    void world.watch();
    await waitFor(
      async () => expect((await entryOf(promised.nft.nonce))?.status).toBe('superseded'),
      patience,
    );

    const { undecided } = await restore(kept);
    await world.untilFinal();

    expect(undecided).toHaveLength(1);
    await expectInvariants(world, { contract, promised: [promised] });
    expect((await world.ports.nfts.find(promised.nft))?.nonce).toBeGreaterThan(promised.nft.nonce);
  });

  it('contain a token that a transaction minted long ago which the log has lost', async () => {
    await world.anvil.rpc('evm_setIntervalMining', 0);
    const promised = await mint();
    const { nonce } = promised.nft;
    const kept = await keep();
    const from = (await world.ports.signer.address()).toLowerCase();
    // Replaces the mint in the pool.
    const fees = { maxFeePerGas: toHex(10n ** 12n), maxPriorityFeePerGas: toHex(10n ** 11n) };
    await world.anvil.rpc('eth_sendTransaction', { from, to: from, nonce: toHex(nonce), ...fees });
    await world.anvil.rpc('evm_setIntervalMining', 1);
    await world.untilFinal();
    const successor = (await world.ports.nfts.find(promised.nft)) as Nft;
    expect(successor).toMatchObject({ status: 'confirmed', nonce: expect.toSatisfy((by) => by > nonce) });
    const { Transactions: TableName } = world.tables;
    for (const lost of [nonce, successor.nonce]) {
      await database.documents.delete({ TableName, Key: entryKey({ signer: world.signerId, nonce: lost }) });
    }
    await database.documents.delete({ TableName: world.tables.Nfts, Key: nftKey(promised.nft) });
    await world.anvil.rpc('anvil_mine', toHex(eventBlocks));

    await restore(kept);
    await world.untilFinal();

    expect(await entryOf(nonce)).toMatchObject({
      status: 'confirmed',
      minedHash: successor.transactionHash,
      reopened: 1,
    });
    expect(await world.ports.nfts.find(promised.nft)).toMatchObject({
      status: 'confirmed',
      transactionHash: successor.transactionHash,
    });
    expect(await mintedIds(world, contract.address)).toEqual(['1']);
  });

  it('assign no token id twice even if the counter of ids is lost', async () => {
    const before = [await mint()];
    const kept = await keep();
    before.push(await mint(), await mint());
    await world.untilFinal();
    const key = counterKey({ applicationId: world.application.id, contract: contract.address });
    await database.documents.delete({ TableName: world.tables.Nfts, Key: key });

    await restore(kept);
    const next = await mint();
    await world.untilFinal();

    expect(Number(next.nft.tokenId)).toBeGreaterThan(3);
    await expectInvariants(world, { contract, promised: [...before, next] });
  });

  it('return the first token to a repeated request, even if the request holds its key by now', async () => {
    const promised = await mint();
    const kept = await keep();
    await world.untilFinal();
    const { pk, sk, bodyHash } = { ...(await keyItemOf(promised.nft)) };
    await lose(promised);
    const leaseUntil = world.clock() + 12_000;
    const held = { pk, sk, bodyHash, state: 'claimed', owner: 'somebody', leaseUntil };
    await database.documents.put({ TableName: world.tables.Requests, Item: held });

    await restore(kept);
    await world.untilFinal();

    await expectInvariants(world, { contract, promised: [promised] });
    expect(await mintedIds(world, contract.address)).toEqual(['1']);
  });

  it('settle pending tokens when only the table of tokens was lost', async () => {
    const promised = await mint();
    const kept = await keep();
    await world.untilFinal();
    await database.documents.delete({ TableName: world.tables.Nfts, Key: nftKey(promised.nft) });

    await restoreNfts(world, { kept, client: database.documents, only: ['nfts'] });

    expect(await world.ports.nfts.find(promised.nft)).toMatchObject({
      status: 'confirmed',
      transactionHash: lastAttempt((await entryOf(promised.nft.nonce)) as Entry).hash,
    });
  });

  it('contain reserved tokens again, also claimed ones, and assign their ids to no other token', async () => {
    const { applicationUserSub } = await world.register();
    await mint();
    const kept = await keep();
    const [first, second] = (await world.reserve({
      contract: contract.address,
      users: [applicationUserSub, applicationUserSub],
    })) as [Nft, Nft];
    const keptLater = await keep();
    const claimed = await setDestination(world.submitDependencies(), {
      application: world.application,
      idempotency: { scope: 'claim', key: undefined, body: {} },
      contract: contract.address,
      tokenId: first.tokenId,
      destination: receiver,
    });
    await world.untilFinal();
    for (const nft of [first, second]) {
      await database.documents.delete({ TableName: world.tables.Nfts, Key: nftKey(nft) });
    }

    await restore(keptLater);
    const counter = counterKey({ applicationId: world.application.id, contract: contract.address });
    await database.documents.delete({ TableName: world.tables.Nfts, Key: counter });
    await restore(kept);
    const next = await mint();

    expect(claimed.tokenId).toBe('2');
    expect(await world.ports.nfts.find(first)).toMatchObject({ status: 'confirmed', destination: receiver });
    expect(await world.ports.nfts.find(second)).toEqual(second);
    expect(Number(next.nft.tokenId)).toBeGreaterThan(3);
  });

  it('let the signer continue after a token is lost for good, and assign the lost id to no other token', async () => {
    const kept = await keep();
    const { nft } = await mint();
    await database.documents.delete({ TableName: world.tables.Nfts, Key: nftKey(nft) });
    const counter = counterKey({ applicationId: world.application.id, contract: contract.address });
    await database.documents.delete({ TableName: world.tables.Nfts, Key: counter });
    await world.untilFinal();

    await restore(kept);
    const next = await mint();

    expect(await entryOf(nft.nonce)).toMatchObject({ status: 'confirmed' });
    expect(Number(next.nft.tokenId)).toBeGreaterThan(Number(nft.tokenId));
  });
});
