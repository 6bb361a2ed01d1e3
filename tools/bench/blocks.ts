import { setTimeout as delay } from 'node:timers/promises';
import type { Hex, PublicClient } from 'viem';

export interface Sent {
  readonly hash: Hex;
  /** From `performance.now()`. */
  readonly acceptedAt: number;
}

export const receiptOf = async (chain: PublicClient, hash: Hex) => {
  for (;;) {
    const receipt = await chain.getTransactionReceipt({ hash }).catch(() => undefined);
    if (receipt !== undefined) return receipt;
    await delay(25);
  }
};

export const watchBlocks = (chain: PublicClient) => {
  const seen = new Map<bigint, number>();
  let isEnded = false;
  const watching = (async () => {
    while (!isEnded) {
      const number = await chain.getBlockNumber();
      if (!seen.has(number)) seen.set(number, performance.now());
      await delay(10);
    }
  })();
  return {
    seen,
    end: async () => {
      isEnded = true;
      await watching;
    },
  };
};

/**
 * Among the blocks that left one of the transactions waiting, finds the one that used the smallest share of its gas
 * limit. Returns this share, or 1 if there is no such block. Checks the blocks from the first transaction to the last.
 */
export const emptiestFullBlock = async (
  chain: PublicClient,
  { sent, seen }: { readonly sent: readonly Sent[]; readonly seen: ReadonlyMap<bigint, number> },
): Promise<number> => {
  const mined = await Promise.all(
    sent.map(async ({ hash, acceptedAt }) => ({
      acceptedAt,
      block: (await receiptOf(chain, hash)).blockNumber,
    })),
  );
  const numbers = mined.map(({ block }) => block).sort((a, b) => (a < b ? -1 : 1));
  let least = 1;
  for (let number = numbers[0] ?? 0n; number <= (numbers.at(-1) ?? 0n); number += 1n) {
    // A transaction that was accepted before the previous block was mined could have been included in this block.
    const before = seen.get(number - 1n) ?? Number.NEGATIVE_INFINITY;
    const isLeft = mined.some(({ acceptedAt, block }) => acceptedAt < before && block > number);
    if (!isLeft) continue;
    const { gasUsed, gasLimit } = await chain.getBlock({ blockNumber: number });
    least = Math.min(least, Number(gasUsed) / Number(gasLimit));
  }
  return least;
};
