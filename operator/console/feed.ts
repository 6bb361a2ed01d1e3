import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../shared/clock.ts';

/**
 * The result of reading a panel. If the reading failed, `failure` says why, and `content` is from the last successful
 * reading.
 */
export interface Shown {
  readonly panel: string;
  /** When the panel was read, epoch milliseconds. */
  readonly at: number;
  readonly content: unknown;
  readonly failure?: string;
}

export interface Panel {
  readonly name: string;
  read(): Promise<unknown>;
  /** How many calls to tables the panel has made so far. */
  readonly tableCalls: () => number;
}

export interface Feed {
  /** Calls `show` with the last reading, if any, and then with each new one. Returns a function that stops this. */
  follow(show: (shown: Shown) => void): () => void;
}

/** Waits. Resolves early, without an error, when the signal is aborted. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {});
};

/**
 * The shortest time between the starts of two readings. It is short enough to show a change in a table within five
 * seconds.
 */
const shortestMilliseconds = 4_000;
const millisecondsForCall = 1_000;

/**
 * Reads a panel repeatedly while it has followers. Each call to a table during a reading delays the next reading by one
 * second. A panel therefore makes at most one such call a second on average.
 */
export const panelFeed = (
  panel: Panel,
  {
    clock,
    wait = pause,
  }: {
    readonly clock: Clock;
    readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  },
): Feed => {
  const followers = new Set<(shown: Shown) => void>();
  let last: Shown | undefined;
  let reading: AbortController | undefined;
  /** The earliest time of the next reading. It depends on how many calls the last reading made. */
  let nextAt = 0;

  const readOnce = async (): Promise<void> => {
    const before = panel.tableCalls();
    const startedAt = clock();
    try {
      last = { panel: panel.name, at: clock(), content: await panel.read() };
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      last = { panel: panel.name, at: clock(), content: last?.content, failure };
    }
    const calls = panel.tableCalls() - before;
    nextAt = startedAt + Math.max(shortestMilliseconds, calls * millisecondsForCall);
    for (const show of followers) show(last);
  };

  const keepReading = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const early = nextAt - clock();
      if (early > 0) await wait(early, signal);
      if (!signal.aborted) await readOnce();
    }
  };

  return {
    follow: (show) => {
      followers.add(show);
      if (last !== undefined) show(last);
      if (reading === undefined) {
        reading = new AbortController();
        void keepReading(reading.signal);
      }
      return () => {
        followers.delete(show);
        if (followers.size > 0) return;
        reading?.abort();
        reading = undefined;
      };
    },
  };
};
