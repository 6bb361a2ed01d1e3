import type { Clock } from '../../clock.ts';
import { LogBusyError } from '../errors.ts';

/** How long after a recording that was given up new requests are refused: what they are told to wait. */
const hotMilliseconds = 1_000;

/**
 * Remembers that the transaction log is hot. Whoever then took a nonce would most likely have to pay for filling it.
 */
export interface LogHeat {
  /** @throws LogBusyError while the log is known to be hot. */
  requireCool(): void;
  /** A recording was given up, since the log was busy at each try. */
  noteBusy(): void;
}

/** The memory of one process: state by the clock, without timers, since environments freeze between calls. */
export const logHeat = (clock: Clock): LogHeat => {
  let hotUntil = Number.NEGATIVE_INFINITY;
  return {
    requireCool: () => {
      if (clock() < hotUntil) throw new LogBusyError({ message: 'The log was busy a moment ago' });
    },
    noteBusy: () => {
      hotUntil = clock() + hotMilliseconds;
    },
  };
};
