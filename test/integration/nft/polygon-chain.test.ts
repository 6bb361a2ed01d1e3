import { parseGwei } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import type { BlockId } from '../../../shared/chain/receipt.ts';
import type { Finality } from '../../../shared/chain/rpc/finality.ts';
import {
  decodeOwner,
  encodeDeployment,
  encodeMint,
  encodeOwnerOf,
  hasMintLog,
  mintGasLimit,
  transferGasLimit,
} from '../../../shared/nft/collections/collection.ts';
import type { Chain, UnsignedTransaction } from '../../../shared/nft/ports/chain.ts';
import { polygonChain } from '../../../shared/nft/rpc/chain.ts';
import { type Anvil, startAnvil } from '../../support/nft/anvil.ts';
import { aCollection, anvilAddress, aSalt } from '../../support/nft/collections.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { fixedUrls } from '../../support/nft/rpc-urls.ts';

const signer = localSigner();
const receiver: Address = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f';

let anvil: Anvil;
let chain: Chain;

beforeEach(async () => {
  anvil = await startAnvil({ noMining: true });
  chain = connect();
});

afterEach(() => anvil.stop());

function connect(finality: Finality = { kind: 'tag' }): Chain {
  return polygonChain({
    chainId: 31_337,
    urls: fixedUrls(anvil.url),
    finality,
    minimumPriorityFeePerGas: parseGwei('25'),
  });
}

const mine = (blocks = 1) => anvil.rpc('anvil_mine', `0x${blocks.toString(16)}`);

function aTransfer(changes: Partial<UnsignedTransaction> = {}): UnsignedTransaction {
  return {
    nonce: 0,
    to: receiver,
    data: '0x',
    value: 1n,
    gas: transferGasLimit,
    maxFeePerGas: parseGwei('60'),
    maxPriorityFeePerGas: parseGwei('25'),
    ...changes,
  };
}

async function send(changes: Partial<UnsignedTransaction> = {}) {
  const signed = await signer.sign(aTransfer(changes));
  return { ...signed, result: await chain.broadcast(signed.raw) };
}

/** A mined collection at nonce 0. */
async function deploy(): Promise<Address> {
  const { address, to, data, gas } = encodeDeployment({ collection: aCollection(), salt: aSalt(1) });
  await send({ nonce: 0, to, data, gas, value: 0n });
  await mine();
  return address;
}

const mintOf = (collection: Address, tokenId: bigint) => ({
  to: collection,
  data: encodeMint({ destination: receiver, tokenId }),
  gas: mintGasLimit(1),
  value: 0n,
});

describe('the transaction counts of an address', () => {
  it('distinguish mined, waiting without a gap, and final transactions', async () => {
    await send({ nonce: 0 });
    await mine();
    await send({ nonce: 1 });
    await send({ nonce: 3 });

    expect(await chain.transactionCounts(anvilAddress)).toEqual({ latest: 1, pending: 2 });
    expect(await chain.minedCountAt(anvilAddress, await chain.finalizedBlock())).toBe(0);
    await mine(2);
    expect(await chain.transactionCounts(anvilAddress)).toEqual({ latest: 2, pending: 2 });
    expect(await chain.minedCountAt(anvilAddress, await chain.finalizedBlock())).toBe(1);
  });

  it('treat transactions with enough confirmations as final if the stage counts confirmations', async () => {
    await send({ nonce: 0 });
    await mine(5);

    const finalCount = async (blocks: number) =>
      chain.minedCountAt(anvilAddress, await connect({ kind: 'confirmations', blocks }).finalizedBlock());
    expect(await finalCount(4)).toBe(1);
    expect(await finalCount(5)).toBe(0);
    expect((await connect({ kind: 'confirmations', blocks: 500 }).finalizedBlock()).number).toBe(0);
  });
});

describe('the fees that are offered', () => {
  it('include at least the minimum tip, and allow the base fee to double', async () => {
    await mine(3);

    const { baseFeePerGas, maxFeePerGas, maxPriorityFeePerGas } = await chain.fees();

    expect(maxPriorityFeePerGas).toBe(parseGwei('25'));
    expect(maxFeePerGas).toBe(baseFeePerGas * 2n + maxPriorityFeePerGas);
    const head = (await anvil.rpc('eth_getBlockByNumber', 'pending', false)) as { baseFeePerGas: string };
    expect(baseFeePerGas).toBe(BigInt(head.baseFeePerGas));
  });

  it('follow the tips that others pay above the minimum', async () => {
    await send({ nonce: 0, maxFeePerGas: parseGwei('90'), maxPriorityFeePerGas: parseGwei('40') });
    await mine();
    for (const nonce of [1, 2, 3, 4]) {
      await send({ nonce, maxFeePerGas: parseGwei('90'), maxPriorityFeePerGas: parseGwei('40') });
      await mine();
    }

    expect((await chain.fees()).maxPriorityFeePerGas).toBe(parseGwei('40'));
  });
});

describe('the broadcast of a transaction', () => {
  it('is accepted the first time and already known the second time', async () => {
    const { raw, result } = await send();

    expect(result.outcome).toBe('accepted');
    expect((await chain.broadcast(raw)).outcome).toBe('already-known');
  });

  it('has the outcome nonce-too-low for a used nonce, even with the transaction that was mined', async () => {
    const { raw } = await send();
    await mine();

    expect((await chain.broadcast(raw)).outcome).toBe('nonce-too-low');
    expect((await send({ value: 2n })).result.outcome).toBe('nonce-too-low');
  });

  it('has the outcome underpriced for a replacement with too low fees', async () => {
    await send({ value: 1n });

    expect((await send({ value: 2n })).result.outcome).toBe('underpriced');
  });

  it('has the outcome fee-below-base for a fee below the base fee', async () => {
    const { result } = await send({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n });

    expect(result.outcome).toBe('fee-below-base');
  });

  it('has the outcome insufficient-funds for a value above the balance', async () => {
    expect((await send({ value: 10n ** 30n })).result.outcome).toBe('insufficient-funds');
  });

  it('has the outcome rejected with too little gas or for another chain', async () => {
    const foreign = await localSigner({ chainId: 1 }).sign(aTransfer());

    expect((await send({ gas: 20_000n })).result.outcome).toBe('rejected');
    expect((await chain.broadcast(foreign.raw)).outcome).toBe('rejected');
  });

  it('of invalid bytes is not accepted and does not throw', async () => {
    expect((await chain.broadcast('0xdead')).outcome).not.toBe('accepted');
  });

  it('has the outcome unknown when no endpoint answers', async () => {
    await anvil.stop();

    expect((await send()).result).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a transaction on the chain', () => {
  it('is first in the pool, then mined with a receipt and a block hash that endpoints agree on', async () => {
    const { hash } = await send();
    expect((await chain.whereabouts([hash])).get(hash)).toBe('pool');
    expect((await chain.receipts([hash])).get(hash)).toBeNull();

    await mine();

    expect((await chain.whereabouts([hash])).get(hash)).toBe('mined');
    const receipt = (await chain.receipts([hash])).get(hash);
    expect(receipt).toMatchObject({ status: 'success', blockNumber: 1, gasUsed: 21_000n, logs: [] });
    const at = await blockId(1);
    expect((await chain.blockHashes({ numbers: [1], at })).get(1)).toBe(receipt?.blockHash);
  });

  it('is reported as certainly absent, if it was never sent, only as of a block that the endpoint has reached', async () => {
    const hash = aSalt(99);
    await mine(10);

    expect((await chain.whereabouts([hash])).get(hash)).toBe('absent');
    const lookUp = async (at: BlockId) =>
      (await chain.lookUpReceipts({ hashes: [hash], at })).get(hash)?.outcome;
    const newest = await blockId(10);
    expect(await lookUp(newest)).toBe('absent');
    expect(await lookUp({ ...newest, number: 11 })).toBe('unknown');
    expect(await lookUp({ ...newest, hash: aSalt(1) })).toBe('unknown');
  });

  it('has no receipt after a reorganisation, and its block has another hash', async () => {
    const { hash } = await send();
    await mine(2);
    const before = (await chain.receipts([hash])).get(hash);

    await anvil.rpc('anvil_reorg', 2, []);

    expect(before).not.toBeNull();
    expect((await chain.receipts([hash])).get(hash)).toBeNull();
    const at = await blockId(2);
    expect((await chain.blockHashes({ numbers: [1], at })).get(1)).not.toBe(before?.blockHash);
  });

  it('can be looked up together with any number of others', async () => {
    const hashes = Array.from({ length: 250 }, (_, index) => aSalt(index));

    expect((await chain.receipts(hashes)).size).toBe(250);
    expect((await chain.receipts([])).size).toBe(0);
    expect((await chain.whereabouts([])).size).toBe(0);
  });
});

describe('the state at a block', () => {
  it('includes the code of a collection from its deployment on', async () => {
    const collection = await deploy();
    const [before, after] = await Promise.all([blockId(0), blockId(1)]);

    expect(await chain.hasCode(collection, after)).toBe(true);
    expect(await chain.hasCode(collection, before)).toBe(false);
  });

  it('is not read from an endpoint that has another block at this height', async () => {
    const collection = await deploy();

    await expect(chain.hasCode(collection, { number: 1, hash: aSalt(1) })).rejects.toThrow(
      'has another block 1',
    );
  });

  it('includes the owner of a token, or the error that the token does not exist', async () => {
    const collection = await deploy();
    await send({ nonce: 1, ...mintOf(collection, 7n) });
    await mine();
    const at = await blockId(2);

    const owned = await chain.call({ to: collection, data: encodeOwnerOf(7n) }, at);
    expect(owned.outcome === 'returned' && decodeOwner(owned.data)?.toLowerCase()).toBe(receiver);
    expect(await chain.call({ to: collection, data: encodeOwnerOf(8n) }, at)).toEqual({
      outcome: 'reverted',
      reason: 'ERC721NonexistentToken(8)',
    });
  });
});

describe('a mint on the chain', () => {
  it('into an address without code succeeds without a log', async () => {
    const { hash } = await send({ ...mintOf(receiver, 1n) });
    await mine();

    const receipt = (await chain.receipts([hash])).get(hash);

    expect(receipt?.status).toBe('success');
    const question = { logs: receipt?.logs ?? [], collection: receiver, destination: receiver, tokenId: 1n };
    expect(hasMintLog(question)).toBe(false);
  });

  it('that reverts has a reason', async () => {
    const collection = await deploy();
    await send({ nonce: 1, ...mintOf(collection, 7n) });
    const { hash } = await send({ nonce: 2, ...mintOf(collection, 7n) });
    await mine();

    const receipt = (await chain.receipts([hash])).get(hash);
    const { to, data } = mintOf(collection, 7n);

    expect(receipt?.status).toBe('reverted');
    expect(await chain.revertReason({ from: anvilAddress, to, data }, receipt?.blockNumber ?? 0)).toBe(
      'ERC721InvalidSender(0x0000000000000000000000000000000000000000)',
    );
    expect(await chain.revertReason({ from: receiver, to, data }, receipt?.blockNumber ?? 0)).toMatch(
      /^OwnableUnauthorizedAccount\(0x71C7/,
    );
  });
});

describe('the finalized block', () => {
  it('is that of the "finalized" tag, with its hash', async () => {
    await mine(5);

    expect(await chain.finalizedBlock()).toEqual(await blockId(3));
  });
});

async function blockId(number: number): Promise<BlockId> {
  const block = await anvil.rpc('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
  return { number, hash: (block as { readonly hash: Address }).hash };
}
