import { afterEach, describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { Address, Hash } from '../../../shared/chain/hex.ts';
import { createRpcEndpoints, type RpcUrls } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import { polygonChain } from '../../../shared/nft/rpc/chain.ts';
import { chainTokenOwners } from '../../../shared/nft/rpc/token-owners.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { anvilAddress } from '../../support/nft/collections.ts';
import { fixedUrls } from '../../support/nft/rpc-urls.ts';
import { type ScriptedRpc, startScriptedRpc } from '../../support/nft/scripted-rpc.ts';

const hashOf = (number: number): Hash => `0x${number.toString(16).padStart(64, '0')}`;
const quantityOf = (number: number): string => `0x${number.toString(16)}`;

const receiptOf = (transactionHash: Hash) => ({
  transactionHash,
  blockNumber: '0x5',
  blockHash: hashOf(5),
  status: '0x0',
  gasUsed: '0x1',
  logs: [],
});

let nodes: ScriptedRpc[] = [];

const addressOf = (digit: string): Address => `0x${digit.repeat(40)}`;

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  nodes = [];
});

type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** Nodes that answer the methods in their scripts, and `null` to any other method. A script runs once for each batch. */
const urlsOf = async (scripts: readonly (() => Answers)[]): Promise<RpcUrls> => {
  nodes = await Promise.all(
    scripts.map((script) =>
      startScriptedRpc((questions) => {
        const answers: Answers = { eth_chainId: () => quantityOf(137), ...script() };
        return questions.map(({ method, params }) => answers[method]?.(params) ?? null);
      }),
    ),
  );
  return fixedUrls(...nodes.map(({ url }) => url));
};

/** A chain client over scripted nodes. */
const over = async (...scripts: readonly (() => Answers)[]): Promise<Chain> =>
  polygonChain({
    chainId: 137,
    urls: await urlsOf(scripts),
    finality: { kind: 'tag' },
    minimumPriorityFeePerGas: 1n,
    questionTimeoutMilliseconds: 2_000,
  });

const blockAt = (number: number) => ({ number, hash: hashOf(number) });

const finalAt = (number: number) => ({
  eth_getBlockByNumber: () => ({ number: quantityOf(number), hash: hashOf(number) }),
});

describe('a receipt of another transaction than the requested one', () => {
  const mixedUp = () => ({
    ...finalAt(9),
    eth_getTransactionReceipt: () => receiptOf(hashOf(2)),
  });

  it('counts as no answer', async () => {
    const chain = await over(mixedUp);

    await expect(chain.receipts([hashOf(1)])).rejects.toThrow(ChainUnavailableError);
    expect(await chain.lookUpReceipts({ hashes: [hashOf(1)], at: blockAt(9) })).toEqual(
      new Map([[hashOf(1), { outcome: 'unknown' }]]),
    );
  });

  it('causes a request to the next endpoint', async () => {
    const right = () => ({
      eth_getTransactionReceipt: ([hash]: readonly unknown[]) => receiptOf(hash as Hash),
    });
    const chain = await over(mixedUp, right);

    expect((await chain.receipts([hashOf(1)])).get(hashOf(1))).toMatchObject({ transactionHash: hashOf(1) });
  });
});

describe('a block of another number than the requested one', () => {
  it('is ignored', async () => {
    const chain = await over(() => finalAt(8));

    expect(await chain.blockHashes({ numbers: [7, 8], at: blockAt(8) })).toEqual(
      new Map([
        [7, null],
        [8, hashOf(8)],
      ]),
    );
  });
});

describe('the absence of many receipts', () => {
  it('is certain only for batches answered by a node that has reached the block', async () => {
    let batches = 0;
    const chain = await over(() => {
      batches += 1;
      return finalAt(batches === 1 ? 100 : 90);
    });
    const hashes = Array.from({ length: 150 }, (_, index) => hashOf(index));

    const found = await chain.lookUpReceipts({ hashes, at: blockAt(100) });

    const outcomes = [...found.values()].map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(150);
    expect(outcomes.filter((outcome) => outcome === 'unknown').length).toBeGreaterThanOrEqual(50);
    expect(outcomes).toContain('absent');
  });
});

describe('an RPC endpoint of another chain', () => {
  const counting = (chainId: number, count: number) => () => ({
    eth_chainId: () => quantityOf(chainId),
    eth_getTransactionCount: () => quantityOf(count),
    eth_sendRawTransaction: () => hashOf(1),
  });

  it('is skipped', async () => {
    const chain = await over(counting(80_002, 99), counting(137, 3));

    expect(await chain.transactionCounts(anvilAddress)).toEqual({ latest: 3, pending: 3 });
  });

  it('is named in the error if there is no other endpoint', async () => {
    const chain = await over(counting(80_002, 99));

    await expect(chain.transactionCounts(anvilAddress)).rejects.toThrow(/chain 80002/);
    expect(await chain.broadcast('0x02')).toMatchObject({ outcome: 'unknown' });
  });
});

describe('the owner of a token', () => {
  /** A node with one newest block. `by` is the block's hash at each batch, because the URL may reach other nodes. */
  const owning = (owner: Address, by: readonly Hash[]) => {
    let batches = 0;
    return () => {
      const hash = by[Math.min(batches, by.length - 1)];
      batches += 1;
      return {
        eth_getBlockByNumber: () => ({ number: '0x5', hash, timestamp: '0x10' }),
        eth_call: () => `0x${owner.slice(2).padStart(64, '0')}`,
      };
    };
  };
  const ownerAt = async (...scripts: readonly (() => Answers)[]) => {
    const endpoints = createRpcEndpoints({ chainId: 137, urls: await urlsOf(scripts), clock: systemClock });
    return chainTokenOwners(endpoints).now({ contract: addressOf('c'), tokenId: '1' });
  };

  it('and the returned block come from the same fork', async () => {
    const torn = owning(addressOf('1'), [hashOf(5), hashOf(50)]);
    const whole = owning(addressOf('2'), [hashOf(5)]);

    expect(await ownerAt(torn, whole)).toEqual({ owner: addressOf('2'), blockNumber: 5, at: 16_000 });
  });
});

describe('the search for an event', () => {
  const topic = hashOf(77);
  const logOf = (transactionHash: Hash, topics: readonly Hash[], address = addressOf('c')) => ({
    transactionHash,
    blockNumber: '0x5',
    address,
    topics,
  });
  const find = (chain: Chain) =>
    chain.findEvent({ address: addressOf('c'), topics: [topic], since: Date.now(), at: blockAt(9) });
  const logging =
    (...logs: readonly object[]) =>
    () => ({ ...finalAt(9), eth_getLogs: () => logs });

  it('ignores logs that were not requested', async () => {
    const chain = await over(
      logging(logOf(hashOf(1), [hashOf(78)]), logOf(hashOf(2), [topic], addressOf('d'))),
      logging(logOf(hashOf(3), [topic])),
    );

    expect(await find(chain)).toEqual({ outcome: 'found', transactionHash: hashOf(3) });
  });

  it('reports an event as absent only if two endpoints with the block do not know it', async () => {
    const elsewhere = () => ({ ...finalAt(8), eth_getLogs: () => [] });

    expect(await find(await over(logging(), elsewhere))).toEqual({ outcome: 'unknown' });
    expect(await find(await over(logging(), elsewhere, logging()))).toEqual({ outcome: 'absent' });
    expect(await find(await over(logging()))).toEqual({ outcome: 'absent' });
  });
});

describe('the final block of a stage that counts confirmations', () => {
  it('has enough blocks above it on the endpoint that returned it', async () => {
    const heights = [100, 90];
    const chain = polygonChain({
      chainId: 137,
      urls: await urlsOf([
        () => {
          const height = heights.shift() ?? 90;
          return {
            eth_blockNumber: () => quantityOf(height),
            eth_getBlockByNumber: ([number]) => ({ number, hash: hashOf(Number(number)) }),
          };
        },
      ]),
      finality: { kind: 'confirmations', blocks: 20 },
      minimumPriorityFeePerGas: 1n,
    });

    expect(await chain.finalizedBlock()).toEqual(blockAt(70));
  });
});
