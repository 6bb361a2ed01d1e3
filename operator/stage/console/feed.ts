import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../../shared/platform/time/clock.ts';

export interface Source<Reading> {
  /** Reads all panels at once. Never rejects. */
  read(before: Reading | undefined): Promise<Reading>;
  /** How many calls to tables each panel has made so far. */
  readonly tableCalls: () => readonly number[];
}

export interface Feed<Reading> {
  /** Calls `show` with the last reading, if any, and then with each new one. Returns a function that stops this. */
  follow(show: (reading: Reading) => void): () => void;
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
 * Reads panels repeatedly while they have followers. Each call to a table during a reading delays the next reading by one
 * second. A panel therefore makes at most one such call a second on average.
 */
export const feedOf = <Reading>(
  source: Source<Reading>,
  {
    clock,
    wait = pause,
  }: {
    readonly clock: Clock;
    readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  },
): Feed<Reading> => {
  const followers = new Set<(reading: Reading) => void>();
  let last: Reading | undefined;
  let reading: AbortController | undefined;
  /** The earliest time of the next reading. It depends on how many calls the last reading made. */
  let nextAt = 0;

  const readOnce = async (): Promise<void> => {
    const before = source.tableCalls();
    const startedAt = clock();
    last = await source.read(last);
    const calls = source.tableCalls().map((count, index) => count - (before[index] ?? 0));
    nextAt = startedAt + Math.max(shortestMilliseconds, Math.max(...calls) * millisecondsForCall);
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
