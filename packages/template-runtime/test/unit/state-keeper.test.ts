import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepState, type StateKeeper } from '../../engines/chain/state-keeper.ts';
import { waitUntil } from '../../testing/wait.ts';

const blocksBetweenLooks = 10;
let directory: string;
let keeper: StateKeeper | undefined;
let chain: ReturnType<typeof scriptedChain>;

/** A chain that grows by ten blocks before each check. `branches` determines the branch to which each block belongs. */
const scriptedChain = () => {
  const transactions = new Set<number>();
  const branches: Array<{ readonly from: number; readonly name: string }> = [{ from: 0, name: 'a' }];
  let latest = 1_000;
  let looks = 0;
  let saves = 0;
  /** How many blocks each check read besides the latest. */
  const asked: number[] = [];
  let beforeLook: (look: number) => void = () => {};
  const block = (number: number) => ({
    number: `0x${number.toString(16)}`,
    hash: `0x${Buffer.from(`${branches.findLast(({ from }) => from <= number)?.name}${number}`).toString('hex')}`,
    transactions: transactions.has(number) ? ['0x1'] : [],
  });
  return {
    transactions,
    branches,
    looks: () => looks,
    saves: () => saves,
    latest: () => latest,
    asked,
    before: (hook: (look: number) => void) => {
      beforeLook = hook;
    },
    request: async (method: string, [number]: readonly unknown[] = []): Promise<unknown> => {
      if (method === 'anvil_dumpState') {
        saves += 1;
        return '0x00';
      }
      if (number !== 'latest') {
        asked[looks - 1] = (asked[looks - 1] ?? 0) + 1;
        return block(Number(number));
      }
      looks += 1;
      asked.push(0);
      latest += blocksBetweenLooks;
      beforeLook(looks);
      return block(latest);
    },
  };
};

const start = (): void => {
  keeper = keepState({ file: join(directory, 'state'), request: chain.request, log: () => {} });
};
const looked = (times: number) => waitUntil(() => chain.looks() > times);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'state-keeper-'));
  chain = scriptedChain();
});

afterEach(async () => {
  await keeper?.stop();
  rmSync(directory, { recursive: true });
});

describe('the process that saves the chain', () => {
  it('does not save again while there are no new transactions, and reads each block once', async () => {
    start();
    await looked(5);

    expect(chain.saves()).toBe(1);
    expect(Math.max(...chain.asked)).toBeLessThanOrEqual(blocksBetweenLooks);
  });

  it('saves when any block since the last check contains a transaction', async () => {
    chain.before((look) => {
      if (look === 4) chain.transactions.add(chain.latest() - 7);
    });
    start();

    await waitUntil(() => chain.saves() === 2);
    expect(chain.looks()).toBe(4);
  });

  it('saves when the chain was set back and contains a transaction before the last check', async () => {
    chain.before((look) => {
      if (look !== 4) return;
      chain.branches.push({ from: chain.latest() - 15, name: 'b' });
      chain.transactions.add(chain.latest() - 15);
    });
    start();

    await waitUntil(() => chain.saves() === 2);
    expect(chain.looks()).toBe(4);
  });
});
