/**
 * How long to wait before try number `tried + 1`, milliseconds: full jitter (AWS Architecture Blog, *Exponential
 * Backoff and Jitter*), so that callers in conflict do not meet again.
 */
export const fullJitter = ({
  tried,
  leastMilliseconds = 25,
  mostMilliseconds = 500,
  random = Math.random,
}: {
  readonly tried: number;
  readonly leastMilliseconds?: number;
  readonly mostMilliseconds?: number;
  readonly random?: () => number;
}): number => {
  const ceiling = Math.min(mostMilliseconds, leastMilliseconds * 2 ** (tried + 1));
  return leastMilliseconds + random() * (ceiling - leastMilliseconds);
};
