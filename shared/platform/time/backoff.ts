import { setTimeout } from 'node:timers/promises';
import { deadlineSignal } from './deadline.ts';

/**
 * The random pause, in milliseconds, before try number `tried + 1`. Full jitter (AWS Architecture Blog, *Exponential
 * Backoff and Jitter*) makes it unlikely that the same callers conflict again.
 */
export const fullJitter = ({
  tried,
  leastMilliseconds = 25,
  mostMilliseconds = 500,
  random = Math.random,
}: {
  readonly tried: number;
  readonly leastMilliseconds?: number;
  readonly mostMilliseconds?: number | undefined;
  readonly random?: () => number;
}): number => {
  const ceiling = Math.min(mostMilliseconds, leastMilliseconds * 2 ** (tried + 1));
  return leastMilliseconds + random() * (ceiling - leastMilliseconds);
};

/** Waits before try number `tried + 1`, at most as long as `mostMilliseconds`. */
export type Pause = (tried: number, mostMilliseconds?: number) => Promise<void>;

/** Waits as long as `fullJitter` says. */
export const jitteredPause: Pause = async (tried, mostMilliseconds) => {
  await setTimeout(fullJitter({ tried, mostMilliseconds }));
};

/** As `jitteredPause`. Throws at the deadline of the request. */
export const hurriedPause: Pause = async (tried, mostMilliseconds) => {
  await setTimeout(fullJitter({ tried, mostMilliseconds }), undefined, { signal: deadlineSignal() });
};
