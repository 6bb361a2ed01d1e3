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
  readonly mostMilliseconds?: number;
  readonly random?: () => number;
}): number => {
  const ceiling = Math.min(mostMilliseconds, leastMilliseconds * 2 ** (tried + 1));
  return leastMilliseconds + random() * (ceiling - leastMilliseconds);
};
