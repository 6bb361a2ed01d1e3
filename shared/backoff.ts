/**
 * The pause before try number `tried + 1`, in milliseconds. Full jitter (AWS Architecture Blog, *Exponential Backoff
 * and Jitter*) makes another conflict between the same callers unlikely.
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
