import { type Clock, type EngineClock, machineClock, monotonicClock } from '../clock.ts';

export interface DrivenClock extends EngineClock {
  /** Moves the clock forward at once. What is due by then runs. */
  advance(milliseconds: number): void;
}

/**
 * Goes as the machine's clock does, and can be moved forward. So a test of an hour takes seconds.
 *
 * @public
 */
export const drivenClock = (): DrivenClock => {
  const ahead = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const lead = (): number => ahead[0] ?? 0;
  const moves: Array<{ readonly at: number; readonly lead: number }> = [];
  const waiting = new Set<{ readonly due: number; readonly run: () => void }>();
  const elapsed: Clock = () => monotonicClock() + lead();
  return {
    now: () => Date.now() + lead(),
    elapsed,
    after: (milliseconds, run) => {
      const entry = {
        due: elapsed() + milliseconds,
        run: () => {
          cancel();
          run();
        },
      };
      waiting.add(entry);
      const cancelReal = machineClock.after(milliseconds, entry.run);
      const cancel = (): void => {
        waiting.delete(entry);
        cancelReal();
      };
      return cancel;
    },
    // Programs tell times in whole seconds, in which the clock may have moved several times.
    fromMachine: (milliseconds) =>
      milliseconds + (moves.findLast(({ at }) => at < milliseconds + 1_000)?.lead ?? 0),
    ahead,
    advance: (milliseconds) => {
      ahead[0] = lead() + milliseconds;
      moves.push({ at: Date.now(), lead: lead() });
      for (const { due, run } of [...waiting]) if (due <= elapsed()) run();
    },
  };
};
