import { waitFor, waitUntil } from 'template-runtime/testing/wait.ts';
import { describe, expect, it } from 'vitest';
import { feedOf } from '../../../operator/stage/console/feed.ts';

/** Panels that make this many calls to tables per read, and a clock that advances only by waiting. */
const aFeed = ({ calls }: { readonly calls: readonly number[] }) => {
  let now = 0;
  let tableCalls = calls.map(() => 0);
  const readAt: number[] = [];
  const waiting: (() => void)[] = [];
  const feed = feedOf<number>(
    {
      read: async () => {
        readAt.push(now);
        tableCalls = tableCalls.map((count, index) => count + (calls[index] ?? 0));
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
    await waitUntil(() => waiting.length > 0);
    waiting.shift()?.();
  };
  return { feed, readAt, goOn, waiting };
};

describe('the panels of the console', () => {
  it.each([
    [[1], 4_000],
    [[4, 4, 4], 4_000],
    [[1, 13, 2], 13_000],
  ])(
    'are read again after a pause that allows one call a second for each: %j, %i ms',
    async (calls, pause) => {
      const { feed, readAt, goOn } = aFeed({ calls });

      const end = feed.follow(() => {});
      await goOn();
      await goOn();
      await waitUntil(() => readAt.length === 3);
      end();

      expect(readAt).toEqual([0, pause, 2 * pause]);
    },
  );

  it('are not read while no browser is connected, and are read once for all browsers', async () => {
    const { feed, readAt, waiting } = aFeed({ calls: [1] });
    expect(readAt).toEqual([]);

    const [first, second]: number[][] = [[], []];
    const ends = [feed.follow((shown) => first?.push(shown)), feed.follow((shown) => second?.push(shown))];
    await waitUntil(() => waiting.length > 0);
    for (const end of ends) end();

    await waitFor(() => expect([first?.length, second?.length]).toEqual([1, 1]));
    expect(readAt).toEqual([0]);
  });

  it('are not read sooner when somebody closes and reopens them', async () => {
    const { feed, readAt, waiting, goOn } = aFeed({ calls: [9] });
    const end = feed.follow(() => {});
    await waitUntil(() => waiting.length > 0);
    end();
    waiting.length = 0;

    feed.follow(() => {});
    await goOn();
    await waitUntil(() => readAt.length === 2);

    expect(readAt).toEqual([0, 9_000]);
  });
});
