import { describe, expect, it } from 'vitest';
import type { Counting, DailyCounts } from '../../../shared/nft/ports/daily-counts.ts';
import { countsAhead } from '../../../shared/nft/submit/counts-ahead.ts';

const aStore = () => {
  const made = new Map<string, number>();
  let calls = 0;
  const keyOf = ({ application, what, day }: Counting) => `${application} ${what} ${day}`;
  const store: DailyCounts = {
    count: async ({ limit, ...counting }) => {
      calls += 1;
      const now = (made.get(keyOf(counting)) ?? 0) + counting.by;
      if (now > limit) return false;
      made.set(keyOf(counting), now);
      return true;
    },
    giveBack: async (counting) => {
      calls += 1;
      made.set(keyOf(counting), (made.get(keyOf(counting)) ?? 0) - counting.by);
    },
  };
  return { store, calls: () => calls };
};

const counting = { application: 'one', what: 'mints', by: 1, day: '2026-11-21' } as const;

/** How many of them are counted until one is refused. */
const countedUntilRefused = async (
  processes: readonly DailyCounts[],
  order: Counting & { readonly limit: number },
): Promise<number> => {
  for (let counted = 0; ; counted += 1) {
    const process = processes[counted % processes.length];
    if (!(await process?.count(order))) return counted;
  }
};

describe('daily counts that are taken ahead', () => {
  it('ask for one in twenty of a large limit, and never pass it', async () => {
    const { store, calls } = aStore();

    const counted = await countedUntilRefused([countsAhead(store)], { ...counting, limit: 100_000 });

    expect(counted).toBe(100_000);
    expect(calls()).toBeLessThan(100_000 / 20);
  });

  it('meet a small limit exactly, however many processes share it', async () => {
    const { store } = aStore();
    const processes = Array.from({ length: 7 }, () => countsAhead(store));

    expect(await countedUntilRefused(processes, { ...counting, limit: 4_999 })).toBe(4_999);
  });

  it('lose no more of a large limit than each other process has ahead', async () => {
    const { store } = aStore();
    const [busy, ...idle] = Array.from({ length: 5 }, () => countsAhead(store));
    if (busy === undefined) throw new Error('There are five');
    for (const process of idle) await process.count({ ...counting, limit: 100_000 });

    const counted = await countedUntilRefused([busy], { ...counting, limit: 100_000 });

    expect(counted).toBe(100_000 - 4 * 21);
  });

  it('give what failed to the next request', async () => {
    const { store } = aStore();
    const counts = countsAhead(store);
    const order = { ...counting, by: 95, limit: 100_000 };
    await counts.count(order);

    await counts.giveBack(order);

    expect(await countedUntilRefused([counts], { ...order, by: 1 })).toBe(100_000);
  });

  it('hold for their day, their application and what they count only', async () => {
    const { store } = aStore();
    const counts = countsAhead(store);
    const limit = 5_000;
    expect(await countedUntilRefused([counts], { ...counting, limit })).toBe(limit);

    for (const other of [{ day: '2026-11-22' }, { application: 'two' }, { what: 'contracts' as const }]) {
      expect(await countedUntilRefused([counts], { ...counting, ...other, limit })).toBe(limit);
    }
  });

  it('are as exact as the limit that holds now', async () => {
    const { store } = aStore();
    const counts = countsAhead(store);
    await counts.count({ ...counting, limit: 100_000 });

    expect(await counts.count({ ...counting, limit: 0 })).toBe(false);
  });
});
