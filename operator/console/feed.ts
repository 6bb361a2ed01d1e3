import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../shared/clock.ts';

/** A reading of a panel. After a failed one, `failure` says why, beside the last content. */
export interface Shown {
  readonly panel: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly content: unknown;
  readonly failure?: string;
}

export interface Panel {
  readonly name: string;
  read(): Promise<unknown>;
  /** The number of calls to tables so far. */
  readonly tableCalls: () => number;
}

export interface Feed {
  /** Sends the current panels, and then each new reading. Returns a function that ends it. */
  follow(show: (shown: Shown) => void): () => void;
}

/** Ends early when the signal is aborted. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {});
};

/** The state of tables must show within five seconds. */
const shortestMilliseconds = 4_000;
const millisecondsForCall = 1_000;

/**
 * Reads a panel again and again while somebody follows it. After a reading it waits one second for each call to a
 * table, so it makes at most one call a second.
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
  /** When the next reading may begin, by the calls of the last one. */
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
