import { setTimeout as delay } from 'node:timers/promises';

export interface BlockTimerOptions {
  readonly everyMilliseconds: number;
  readonly mine: () => Promise<unknown>;
  readonly log: (line: string) => void;
}

/**
 * Mines a block at each interval. With its own `--block-time`, anvil would keep 1,500 copies of the whole state,
 * despite `--prune-history`.
 */
export const mineRegularly = ({ everyMilliseconds, mine, log }: BlockTimerOptions) => {
  const stopping = new AbortController();
  const { signal } = stopping;

  const run = async (): Promise<void> => {
    let beat = performance.now();
    while (!signal.aborted) {
      // Skips intervals that passed while the machine slept.
      const now = performance.now();
      beat = Math.max(beat + everyMilliseconds, now);
      try {
        await delay(beat - now, undefined, { signal, ref: false });
        await mine();
      } catch (error) {
        if (!signal.aborted) log(`no block was mined: ${String(error)}`);
      }
    }
  };
  const running = run();

  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
};
