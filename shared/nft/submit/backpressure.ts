import type { Clock } from '../../clock.ts';
import { LogBusyError } from '../errors.ts';

/** How long new requests are refused after a recording was given up; callers are told to wait this long. */
const lifetimeMilliseconds = 1_000;

/**
 * Refuses new requests for a moment after the transaction log was too busy for one. A request that reserved a nonce
 * then would most likely have to pay for a noop transaction.
 */
export interface Backpressure {
  /** @throws LogBusyError while new requests are refused. */
  requireNone(): void;
  /** A recording was given up because the log was busy at each try. */
  apply(): void;
}

/** The memory of one process. It uses the clock and no timers, because environments freeze between calls. */
export const backpressure = (clock: Clock): Backpressure => {
  let appliedUntil = Number.NEGATIVE_INFINITY;
  return {
    requireNone: () => {
      if (clock() < appliedUntil) throw new LogBusyError({ message: 'The log was busy a moment ago' });
    },
    apply: () => {
      appliedUntil = clock() + lifetimeMilliseconds;
    },
  };
};
