import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { RecordingUnknownError } from '../errors.ts';

export interface WritePatientlyDependencies {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Pauses before the second try and each later one, so that conflicting requests do not retry at the same time. */
  readonly pause: (tried: number) => Promise<void>;
}

interface Busy {
  readonly outcome: 'busy';
  readonly reason: string;
}

/**
 * Repeats the same write until its outcome is known, with a pause before each retry. Stops when the allowed number of
 * writes is used up or the deadline has passed. Also returns how many writes are left.
 *
 * @throws RecordingUnknownError when a write got no response and was not read back, so that it may still be executed.
 */
export const writePatiently = async <Outcome extends { readonly outcome: string }>(
  { clock, logger, pause }: WritePatientlyDependencies,
  {
    what,
    write,
    readBack,
    writes,
    deadline,
  }: {
    /** What is written, for messages: such as `nonce 7`. */
    readonly what: string;
    readonly write: () => Promise<Outcome | Busy>;
    /** Finds the outcome of a write that got no response. `undefined`: nothing is stored yet. */
    readonly readBack: () => Promise<Outcome | undefined>;
    readonly writes: number;
    readonly deadline: number;
  },
): Promise<{ readonly result: Outcome | Busy; readonly writesLeft: number }> => {
  let silence: { readonly cause: unknown } | undefined;
  for (let tried = 1; ; tried += 1) {
    const writesLeft = writes - tried;
    let busy: Outcome | Busy | undefined;
    try {
      const result = await write();
      if (result.outcome !== 'busy') return { result, writesLeft };
      busy = result;
    } catch (cause) {
      silence = { cause };
      const result = await readBack().catch((error: unknown) => {
        logger.warn('Could not read whether the write took effect', { what, error });
        return undefined;
      });
      if (result !== undefined) return { result, writesLeft };
    }
    if (writesLeft <= 0 || clock() >= deadline) {
      if (busy !== undefined && silence === undefined) return { result: busy, writesLeft };
      throw new RecordingUnknownError({ message: `It is unknown whether ${what} was recorded`, ...silence });
    }
    logger.warn('Repeating a write', { what, tried, ...busy, ...silence });
    await pause(tried);
  }
};
