import { availableParallelism, loadavg } from 'node:os';

/** How starved this process was of processor time, while somebody waited in it. */
export interface Starvation {
  readonly waitedMilliseconds: number;
  /** The longest time by which a timer of this process was late. */
  readonly longestDelayMilliseconds: number;
  /** How many runnable processes there were for each core, on average over the last minute. */
  readonly loadPerCore: number;
}

const tickMilliseconds = 20;

/** Timers as late as this, or twice as many runnable processes as cores, mean that the machine was too slow. */
const lateMilliseconds = 1_000;
const crowdedLoadPerCore = 2;

/** Measures from now on. Call the result for the figures; the measurement ends with its call. */
export const measureStarvation = (): (() => Starvation) => {
  const began = performance.now();
  let dueAt = began + tickMilliseconds;
  let longest = 0;
  // Node's histogram of the loop's delays stays empty in a worker thread.
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - dueAt);
    dueAt = now + tickMilliseconds;
  };
  const timer = setInterval(look, tickMilliseconds);
  timer.unref();
  return () => {
    clearInterval(timer);
    look();
    return {
      waitedMilliseconds: performance.now() - began,
      longestDelayMilliseconds: longest,
      loadPerCore: (loadavg()[0] ?? 0) / availableParallelism(),
    };
  };
};

/** Tells a machine that was too slow from something that was lost, with the figures that show it. */
export const describeStarvation = ({
  waitedMilliseconds,
  longestDelayMilliseconds,
  loadPerCore,
}: Starvation): string => {
  const figures = `timers up to ${Math.round(longestDelayMilliseconds)} ms late, load ${loadPerCore.toFixed(1)} per core`;
  const waited = `waited ${(waitedMilliseconds / 1_000).toFixed(1)} s`;
  return longestDelayMilliseconds >= lateMilliseconds || loadPerCore >= crowdedLoadPerCore
    ? `${waited}; the machine may have been too slow: ${figures}`
    : `${waited}, and the machine was not too slow: ${figures}`;
};
