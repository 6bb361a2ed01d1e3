import type { Clock } from '../../platform/time/clock.ts';
import { LogBusyError } from '../errors.ts';

/**
 * How long new requests are refused after the service has given up recording a request. Callers are told to retry after
 * this time.
 */
const lifetimeMilliseconds = 1_000;

/**
 * Refuses new requests for a moment after the transaction log was too busy to record a request. Otherwise a new request
 * would probably reserve a nonce that it cannot use, and the service would have to pay for a noop transaction with that
 * nonce.
 */
export interface Backpressure {
  /** @throws LogBusyError while new requests are refused. */
  requireNone(): void;
  /** Call this when a request could not be recorded because the log was busy at every try. */
  apply(): void;
}

/**
 * Backpressure within one process. It compares clock times and uses no timers, because Lambda freezes the process
 * between calls.
 */
export const backpressure = (clock: Clock): Backpressure => {
  let appliedUntil = Number.NEGATIVE_INFINITY;
  return {
    requireNone: () => {
      if (clock() < appliedUntil)
        throw new LogBusyError({ message: 'The transaction log was too busy a moment ago' });
    },
    apply: () => {
      appliedUntil = clock() + lifetimeMilliseconds;
    },
  };
};
