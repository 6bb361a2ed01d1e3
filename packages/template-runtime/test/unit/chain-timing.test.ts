import { describe, expect, it, vi } from 'vitest';
import { mineRegularly } from '../../engines/chain/block-timer.ts';
import { pauseAfter } from '../../engines/chain/state-keeper.ts';
import { waitUntil } from '../../testing/wait.ts';

describe('the pause between two saves of the chain', () => {
  it.each([0, 15, 500, 2_000, 5_000])(
    'causes a loss of at most 15 seconds by a kill when a save takes %d ms',
    (saveMilliseconds) => {
      expect(pauseAfter(saveMilliseconds) + saveMilliseconds).toBeLessThanOrEqual(15_000);
    },
  );

  it('is ten times the duration of a save, unless a kill would then lose more than 15 seconds', () => {
    expect(pauseAfter(900)).toBe(9_000);
  });
});

describe('the block timer', () => {
  it('continues and logs after a block that was not mined, and ends when it is stopped', async () => {
    const mine = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('busy')).mockResolvedValue();
    const log = vi.fn<(line: string) => void>();
    const timer = mineRegularly({ everyMilliseconds: 1, mine, log });

    await waitUntil(() => mine.mock.calls.length >= 3);
    await timer.stop();
    const mined = mine.mock.calls.length;
    await new Promise((resolve) => setImmediate(resolve));

    expect(log).toHaveBeenCalledExactlyOnceWith('no block was mined: Error: busy');
    expect(mine).toHaveBeenCalledTimes(mined);
  });
});
