import type { CallOptions } from './calls.ts';
import { ConfirmationFailedError, MarqueeError } from './errors.ts';
import type { components } from './generated/schema.ts';
import { millisecondsIn } from './http.ts';
import { pause, startLimit } from './retry.ts';

type Seen = components['schemas']['Contract'] | components['schemas']['Nft'];

const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 10_000;

/**
 * Reads a contract or token again and again until it is final.
 *
 * @throws ConfirmationFailedError when it has failed on the chain; MarqueeError when it is not final within `timeout`.
 */
export const waitUntilConfirmed = async (
  read: (options: CallOptions) => PromiseLike<Seen>,
  { timeout = 300_000, signal }: CallOptions,
): Promise<Seen> => {
  const limit = startLimit(millisecondsIn('timeout', timeout), signal);
  let wait = firstPauseMilliseconds;
  try {
    for (;;) {
      const seen = await read({ signal: limit.signal });
      if (seen.is_confirmed) return seen;
      if (seen.status === 'failed') throw new ConfirmationFailedError(seen.failure_reason);
      await pause(wait, limit);
      limit.throwIfOver();
      wait = Math.min(longestPauseMilliseconds, wait * 1.5);
    }
  } catch (error) {
    throw limit.isOver() ? new MarqueeError(`Not confirmed within ${timeout} ms`) : error;
  } finally {
    limit.release();
  }
};
