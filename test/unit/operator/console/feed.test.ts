import { describe, expect, it, vi } from 'vitest';
import { panelFeed, type Shown } from '../../../../operator/console/feed.ts';

/** A panel that makes `calls` calls to tables per read, and a clock that advances only by waiting. */
const aFeed = ({ calls, fails = false }: { readonly calls: number; readonly fails?: boolean }) => {
  let now = 0;
  let tableCalls = 0;
  const readAt: number[] = [];
  const waiting: (() => void)[] = [];
  const feed = panelFeed(
    {
      name: 'signers',
      read: async () => {
        readAt.push(now);
        tableCalls += calls;
        if (fails && readAt.length > 1) throw new Error('no table');
        return readAt.length;
      },
      tableCalls: () => tableCalls,
    },
    {
      clock: () => now,
      wait: (milliseconds, signal) =>
        new Promise((resolve) => {
          waiting.push(() => {
            now += milliseconds;
            resolve();
          });
          signal.addEventListener('abort', () => resolve());
        }),
    },
  );
  const goOn = async () => {
    await vi.waitUntil(() => waiting.length > 0, { timeout: 60_000 });
    waiting.shift()?.();
  };
  return { feed, readAt, goOn, waiting, now: () => now, tableCalls: () => tableCalls };
};

describe('a panel', () => {
  it.each([
    [1, 4_000],
    [4, 4_000],
    [13, 13_000],
  ])('that makes %i calls to tables is read again after %i ms', async (calls, pause) => {
    const { feed, readAt, goOn } = aFeed({ calls });

    const end = feed.follow(() => {});
    await goOn();
    await goOn();
    await vi.waitUntil(() => readAt.length === 3, { timeout: 60_000 });
    end();

    expect(readAt).toEqual([0, pause, 2 * pause]);
  });

  it('is not read while nobody follows, and once for all who do', async () => {
    const { feed, readAt, waiting } = aFeed({ calls: 1 });
    expect(readAt).toEqual([]);

    const [first, second]: Shown[][] = [[], []];
    const ends = [feed.follow((shown) => first?.push(shown)), feed.follow((shown) => second?.push(shown))];
    await vi.waitUntil(() => waiting.length > 0, { timeout: 60_000 });
    for (const end of ends) end();

    await vi.waitFor(() => expect([first?.length, second?.length]).toEqual([1, 1]), { timeout: 60_000 });
    expect(readAt).toEqual([0]);
  });

  it('is not read sooner by who closes and opens it', async () => {
    const { feed, readAt, waiting, goOn } = aFeed({ calls: 9 });
    const end = feed.follow(() => {});
    await vi.waitUntil(() => waiting.length > 0, { timeout: 60_000 });
    end();
    waiting.length = 0;

    feed.follow(() => {});
    await goOn();
    await vi.waitUntil(() => readAt.length === 2, { timeout: 60_000 });

    expect(readAt).toEqual([0, 9_000]);
  });

  it('shows what was read last beside why it cannot be read now', async () => {
    const { feed, goOn } = aFeed({ calls: 1, fails: true });
    const shown: Shown[] = [];

    const end = feed.follow((each) => shown.push(each));
    await goOn();
    await vi.waitUntil(() => shown.length === 2, { timeout: 60_000 });
    end();

    expect(shown[1]).toMatchObject({ content: 1, failure: 'no table' });
  });
});
