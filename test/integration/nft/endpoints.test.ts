import { waitFor, waitUntil } from 'template-runtime/testing/wait.ts';
import { parseGwei } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { BlockId } from '../../../shared/chain/receipt.ts';
import type { RpcUrls } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import { transferGasLimit } from '../../../shared/nft/collections/collection.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import { polygonChain } from '../../../shared/nft/rpc/chain.ts';
import { type Clock, systemClock } from '../../../shared/platform/time/clock.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { type Anvil, startAnvil } from '../../support/nft/anvil.ts';
import { anvilAddress, aSalt } from '../../support/nft/collections.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import {
  everyFault,
  type Faults,
  type RpcFaultProxy,
  startRpcFaultProxy,
} from '../../support/nft/rpc-fault-proxy.ts';
import { fixedUrls } from '../../support/nft/rpc-urls.ts';
import { remedy } from '../../support/platform/remedy.ts';

const signer = localSigner();
const absent = aSalt(404);

let anvil: Anvil;
let first: RpcFaultProxy;
let second: RpcFaultProxy;
let nonce = 0;

beforeAll(async () => {
  anvil = await startAnvil({ noMining: true });
  first = await startRpcFaultProxy({ target: anvil.url, seed: 1, faults: {} });
  second = await startRpcFaultProxy({ target: anvil.url, seed: 2, faults: {} });
  await mine(10);
});

afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await anvil.stop();
});

beforeEach(async () => {
  misbehave({}, {});
  await anvil.rpc('anvil_dropAllTransactions');
  nonce = Number(await anvil.rpc('eth_getTransactionCount', anvilAddress, 'latest'));
});

const mine = (blocks = 1) => anvil.rpc('anvil_mine', `0x${blocks.toString(16)}`);

/** Whether an endpoint gives no answer at times, so that a call must end without one. */
let isSilent = false;

function misbehave(ofFirst: Faults, ofSecond: Faults): void {
  isSilent = [ofFirst, ofSecond].some(
    ({ lost = 0, acceptedThenSilent = 0 }) => lost + acceptedThenSilent > 0,
  );
  for (const proxy of [first, second]) proxy.alter(undefined);
  first.setFaults(ofFirst);
  second.setFaults(ofSecond);
}

function connect({
  urls = fixedUrls(first.url, second.url),
  clock = isSilent ? systemClock : () => 0,
}: {
  readonly urls?: RpcUrls;
  readonly clock?: Clock;
} = {}): Chain {
  return polygonChain({
    chainId: 31_337,
    urls,
    clock,
    finality: { kind: 'tag' },
    minimumPriorityFeePerGas: parseGwei('25'),
    // Where every endpoint answers, a call takes as long as a busy machine needs.
    requestTimeoutMilliseconds: isSilent ? 2_000 : 60_000,
  });
}

const sign = (changes: { readonly value?: bigint; readonly percent?: bigint } = {}) =>
  signer.sign({
    nonce,
    to: anvilAddress,
    data: '0x',
    gas: transferGasLimit,
    value: changes.value ?? 0n,
    maxFeePerGas: (parseGwei('60') * (100n + (changes.percent ?? 0n))) / 100n,
    maxPriorityFeePerGas: (parseGwei('25') * (100n + (changes.percent ?? 0n))) / 100n,
  });

async function mined() {
  const signed = await sign();
  await anvil.rpc('eth_sendRawTransaction', signed.raw);
  await mine();
  return signed.hash;
}

describe('the counts of mined transactions for several addresses', () => {
  const other = '0x00000000000000000000000000000000000000aa';

  it('come from the endpoint that is furthest ahead, wherever it is in the list', async () => {
    await mined();
    const count = nonce + 1;
    misbehave({ lagging: 1 }, {});

    expect(await connect().minedCounts([anvilAddress, other])).toEqual(
      new Map([
        [anvilAddress, count],
        [other, 0],
      ]),
    );
    misbehave({}, { lagging: 1 });
    expect(await connect().minedCounts([anvilAddress])).toEqual(new Map([[anvilAddress, count]]));
  });

  it('come from the only endpoint that answers, and are an error if none answers', async () => {
    misbehave({ lost: 1 }, {});
    expect(await connect().minedCounts([anvilAddress])).toEqual(new Map([[anvilAddress, nonce]]));

    misbehave({ lost: 1 }, { unavailable: 1 });
    await expect(connect().minedCounts([anvilAddress])).rejects.toThrow(ChainUnavailableError);
  });
});

describe('a request to the RPC endpoints', () => {
  it.each<[string, Faults]>([
    ['loses the request', { lost: 1 }],
    ['answers 429', { tooManyRequests: 1 }],
    ['answers 503', { unavailable: 1 }],
  ])('is answered by the next endpoint when one %s', async (_, faults) => {
    misbehave(faults, {});

    expect(await connect().balance(anvilAddress)).toBeGreaterThan(0n);
  });

  it('is sent first to the endpoint that answered last', async () => {
    misbehave({ unavailable: 1 }, {});
    const chain = connect();
    await chain.balance(anvilAddress);
    const before = first.requests();

    await chain.balance(anvilAddress);

    expect(first.requests()).toBe(before);
  });

  it('is sent first to the endpoint that an operator has moved to the top, even if another answered last', async () => {
    misbehave({}, {});
    let list = { urls: [first.url, second.url] };
    const chain = connect({ urls: { read: async () => list, refresh: async () => list } });
    await chain.balance(anvilAddress);
    const [before, others] = [first.requests(), second.requests()];

    list = { urls: [second.url, first.url] };
    await chain.balance(anvilAddress);

    expect([first.requests(), second.requests()]).toEqual([before, others + 1]);
  });

  it('fails with an error if no endpoint answers, which never counts as the answer that something does not exist', async () => {
    misbehave({ lost: 1 }, { tooManyRequests: 1 });
    const chain = connect();

    await expect(chain.receipts([absent])).rejects.toThrow(ChainUnavailableError);
    await expect(chain.whereabouts([absent])).rejects.toThrow(ChainUnavailableError);
    await expect(chain.blockHashes({ numbers: [1], at: await blockId(1) })).rejects.toThrow(
      ChainUnavailableError,
    );
    await expect(chain.transactionCounts(anvilAddress)).rejects.toThrow(ChainUnavailableError);
    expect(await chain.revertReason({ to: anvilAddress, data: '0x' }, 1)).toBeUndefined();
  });

  it('is sent to no further endpoint when its time is up', async () => {
    misbehave({ unavailable: 1 }, {});
    const before = [first.requests(), second.requests()];
    const clock = () => (first.requests() > (before[0] ?? 0) ? patient(5_000) + 1 : 0);

    await expect(connect({ clock }).balance(anvilAddress)).rejects.toThrow(ChainUnavailableError);

    expect(second.requests()).toBe(before[1]);
  });

  it('fails with an error that does not contain the URL, because the URL can contain a key', async () => {
    misbehave({ lost: 1 }, { lost: 1 });
    const chain = connect({ urls: fixedUrls(`${first.url}/v2/secret-key`) });

    await expect(chain.fees()).rejects.toThrow(/^(?!.*secret-key).*127\.0\.0\.1/);
  });
});

describe('the current fees', () => {
  it('are requested once per block for any number of callers', async () => {
    let now = 0;
    const chain = connect({ clock: () => now });
    const before = first.requests();

    const fees = await Promise.all([chain.fees(), chain.fees(), chain.fees()]);
    now = 1_999;
    await chain.fees();
    expect(first.requests()).toBe(before + 1);
    expect(new Set(fees).size).toBe(1);

    now = 2_000;
    await chain.fees();
    expect(first.requests()).toBe(before + 2);
  });

  it('are requested again after a failure', async () => {
    const chain = connect({ clock: () => 0 });
    misbehave({ lost: 1 }, { lost: 1 });
    await expect(chain.fees()).rejects.toThrow(ChainUnavailableError);

    misbehave({}, {});

    expect((await chain.fees()).maxFeePerGas).toBeGreaterThan(0n);
  });
});

describe('a rejected key of the RPC provider', () => {
  it('causes one new read of the endpoint list, and then a request to the new endpoint', async () => {
    const refusing = await startRefusing();
    let refreshes = 0;
    let value = { urls: [refusing.url] };
    const urls: RpcUrls = {
      read: async () => value,
      refresh: async () => {
        refreshes += 1;
        value = { urls: [first.url] };
        return value;
      },
    };

    const chain = connect({ urls });

    remedy('tickets-cannot-be-judged');
    expect(await chain.balance(anvilAddress)).toBeGreaterThan(0n);
    expect(await chain.blockHashes({ numbers: [1], at: await blockId(1) })).toHaveProperty('size', 1);
    expect(refreshes).toBe(1);
    await refusing.stop();
  });
});

describe('the absence of a receipt', () => {
  const lookUp = async (hash = absent, number = 5) =>
    (await connect().lookUpReceipts({ hashes: [hash], at: await blockId(number) })).get(hash);

  it('is certain when every endpoint reports it', async () => {
    expect(await lookUp()).toEqual({ outcome: 'absent' });
  });

  it.each<[string, Faults]>([
    ['is lost', { lost: 1 }],
    ['is refused', { unavailable: 1 }],
  ])('is uncertain when one of the answers %s', async (_, faults) => {
    misbehave({}, faults);

    expect(await lookUp()).toEqual({ outcome: 'unknown' });
  });

  it('is uncertain when one endpoint has not reached the block', async () => {
    misbehave({}, { lagging: 1 });
    const newest = Number(await anvil.rpc('eth_blockNumber'));

    expect(await lookUp(absent, newest)).toEqual({ outcome: 'unknown' });
    // On a busy machine an endpoint may not answer in time, so the lookup is repeated.
    await waitFor(async () => expect(await lookUp(absent, newest - 2)).toEqual({ outcome: 'absent' }), {
      interval: 500,
    });
  });

  it('is disproved by a single endpoint that has the receipt', async () => {
    const hash = await mined();
    misbehave({ lagging: 1 }, {});

    const newest = Number(await anvil.rpc('eth_blockNumber'));
    expect(await lookUp(hash, newest)).toMatchObject({
      outcome: 'found',
      receipts: [{ transactionHash: hash }],
      agreed: undefined,
    });
  });
});

describe('the hash of a block', () => {
  const hashOf = async (number: number, by: number) =>
    (await connect().blockHashes({ numbers: [number], at: await blockId(by) })).get(number);

  it('is the one on which all endpoints with the reference block agree', async () => {
    const hash = await mined();
    const receipt = (await connect().receipts([hash])).get(hash);
    const number = receipt?.blockNumber ?? 0;
    misbehave({}, { lagging: 1 });

    expect(await hashOf(number, number)).toBe(receipt?.blockHash);
  });

  it('ignores an endpoint that is on another fork than the reference block', async () => {
    misbehave({}, { contradicting: 1 });

    expect(await hashOf(3, 5)).toBe((await blockId(3)).hash);
  });

  it('is null when two endpoints with the same reference block contradict each other', async () => {
    second.alter(({ method, params = [] }, result) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x3'
        ? { ...(result as object), hash: aSalt(3) }
        : result,
    );

    expect(await hashOf(3, 5)).toBeNull();
  });

  it('is null when no endpoint has the block', async () => {
    expect(await hashOf(1_000_000, 5)).toBeNull();
  });

  it('is an error when no endpoint has the reference block', async () => {
    misbehave({ contradicting: 1 }, { contradicting: 1 });

    await expect(hashOf(3, 5)).rejects.toThrow(/has another block 5/);
  });
});

describe('the broadcast of a transaction', () => {
  it('is sent to the next endpoint after a time-out, which then already knows the transaction', async () => {
    misbehave({ acceptedThenSilent: 1 }, {});

    expect((await connect().broadcast((await sign()).raw)).outcome).toBe('already-known');
  });

  it('is sent to each endpoint exactly once', async () => {
    misbehave({ acceptedThenSilent: 1 }, { unavailable: 1 });
    const before = [first.requests(), second.requests()];

    expect((await connect().broadcast((await sign()).raw)).outcome).toBe('unknown');

    expect([first.requests(), second.requests()]).toEqual(before.map((count) => count + 1));
  });

  it('is accepted even if one endpoint falsely reports that the nonce is too low', async () => {
    misbehave({ nonceTooLow: 1 }, {});

    expect((await connect().broadcast((await sign()).raw)).outcome).toBe('accepted');
  });

  it('is underpriced as a replacement below 10 % more fees, and accepted above', async () => {
    misbehave({ replacementPercent: 10 }, { unavailable: 1 });
    const chain = connect();
    await chain.broadcast((await sign()).raw);

    expect((await chain.broadcast((await sign({ percent: 9n })).raw)).outcome).toBe('underpriced');
    expect((await chain.broadcast((await sign({ percent: 13n })).raw)).outcome).toBe('accepted');
  });

  it('can be accepted and then dropped from the pool', async () => {
    misbehave({ dropped: 1 }, {});
    const chain = connect();
    const { raw, hash } = await sign();

    expect((await chain.broadcast(raw)).outcome).toBe('accepted');

    expect((await chain.whereabouts([hash])).get(hash)).toBe('absent');
  });
});

describe('twenty transfers under every fault at once', () => {
  it('are each mined once by polling and sending again', async () => {
    misbehave(everyFault, everyFault);
    const chain = connect();
    const from = nonce;
    const signed = [];
    for (; nonce < from + 20; nonce += 1) signed.push(await sign({ value: 1n }));

    for (const { raw, hash } of signed) {
      await waitUntil(
        async () => {
          await chain.broadcast(raw);
          return (await anvil.rpc('eth_getTransactionByHash', hash)) !== null;
        },
        { interval: 1 },
      );
    }
    await mine(3);

    const hashes = signed.map(({ hash }) => hash);
    await waitFor(
      async () => {
        const receipts = await chain.lookUpReceipts({ hashes, at: await blockId(0) });
        expect([...receipts.values()].map(({ outcome }) => outcome)).toEqual(hashes.map(() => 'found'));
      },
      { interval: 1 },
    );
    expect(first.counts.get('lost')).toBeGreaterThan(0);
    expect(second.counts.get('lost')).toBeGreaterThan(0);
  });
});

async function blockId(number: number): Promise<BlockId> {
  const block = await anvil.rpc('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
  return { number, hash: (block as BlockId).hash };
}

async function startRefusing() {
  const { createServer } = await import('node:http');
  const server = createServer((_, response) => response.writeHead(403).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, stop };
}
