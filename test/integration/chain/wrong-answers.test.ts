import { afterEach, describe, expect, it } from 'vitest';
import { polygonChain } from '../../../shared/adapters/polygon/chain.ts';
import { ChainUnavailableError } from '../../../shared/nft/errors.ts';
import type { Hash } from '../../../shared/nft/hex.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import { anvilAddress } from '../../support/collections.ts';
import { fixedUrls } from '../../support/rpc-urls.ts';
import { type ScriptedRpc, startScriptedRpc } from '../../support/scripted-rpc.ts';

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

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  nodes = [];
});

type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** A chain client over scripted nodes. Each node answers the methods in its script, and `null` to any other method. */
const over = async (...scripts: readonly (() => Answers)[]): Promise<Chain> => {
  nodes = await Promise.all(
    scripts.map((script) =>
      startScriptedRpc((questions) => {
        const answers: Answers = { eth_chainId: () => quantityOf(137), ...script() };
        return questions.map(({ method, params }) => answers[method]?.(params) ?? null);
      }),
    ),
  );
  return polygonChain({
    chainId: 137,
    urls: fixedUrls(...nodes.map(({ url }) => url)),
    finality: { kind: 'tag' },
    minimumPriorityFeePerGas: 1n,
    questionTimeoutMilliseconds: 2_000,
  });
};

const finalAt = (number: number) => ({
  eth_getBlockByNumber: () => ({ number: quantityOf(number), hash: hashOf(number) }),
});

describe('a receipt of another transaction than the one asked for', () => {
  const mixedUp = () => ({
    ...finalAt(9),
    eth_getTransactionReceipt: () => receiptOf(hashOf(2)),
  });

  it('is no answer', async () => {
    const chain = await over(mixedUp);

    await expect(chain.receipts([hashOf(1)])).rejects.toThrow(ChainUnavailableError);
    expect(await chain.lookUpReceipts({ hashes: [hashOf(1)], asOf: 9 })).toEqual(
      new Map([[hashOf(1), { outcome: 'unknown' }]]),
    );
  });

  it('has the next endpoint asked', async () => {
    const right = () => ({
      eth_getTransactionReceipt: ([hash]: readonly unknown[]) => receiptOf(hash as Hash),
    });
    const chain = await over(mixedUp, right);

    expect((await chain.receipts([hashOf(1)])).get(hashOf(1))).toMatchObject({ transactionHash: hashOf(1) });
  });
});

describe('a block of another number than the one asked for', () => {
  it('is ignored', async () => {
    const chain = await over(() => finalAt(8));

    expect(await chain.blockHashes([7, 8])).toEqual(
      new Map([
        [7, null],
        [8, hashOf(8)],
      ]),
    );
  });
});

describe('the absence of many receipts', () => {
  it('is certain only of what a node answered that has reached the block', async () => {
    let batches = 0;
    const chain = await over(() => {
      batches += 1;
      return finalAt(batches === 1 ? 100 : 90);
    });
    const hashes = Array.from({ length: 150 }, (_, index) => hashOf(index));

    const found = await chain.lookUpReceipts({ hashes, asOf: 100 });

    const outcomes = [...found.values()].map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(150);
    expect(outcomes.filter((outcome) => outcome === 'unknown').length).toBeGreaterThanOrEqual(50);
    expect(outcomes).toContain('absent');
  });
});

describe('an endpoint of another chain', () => {
  const counting = (chainId: number, count: number) => () => ({
    eth_chainId: () => quantityOf(chainId),
    eth_getTransactionCount: () => quantityOf(count),
    eth_sendRawTransaction: () => hashOf(1),
  });

  it('is not listened to', async () => {
    const chain = await over(counting(80_002, 99), counting(137, 3));

    expect(await chain.transactionCounts(anvilAddress)).toEqual({ latest: 3, pending: 3, finalized: 3 });
  });

  it('is named when there is no other', async () => {
    const chain = await over(counting(80_002, 99));

    await expect(chain.transactionCounts(anvilAddress)).rejects.toThrow(/chain 80002/);
    expect(await chain.broadcast('0x02')).toMatchObject({ outcome: 'unknown' });
  });
});
