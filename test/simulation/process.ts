import type { Clock } from '../../shared/platform/time/clock.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * A process of the service, such as an instance of a function. Whatever it awaits comes through `after`, so that it can
 * die or freeze at each of these points.
 */
export interface Process {
  readonly name: string;
  /** The time by the process's own clock. */
  readonly clock: Clock;
  /** The name of the task on which the process works at the moment. Faults are drawn by this name. */
  task: string;
  isDead(): boolean;
  isFrozen(): boolean;
  /** Calls `act` soon after the process has died. A later call of `onDeath` replaces `act`. */
  onDeath(act: () => void): void;
  /** Ends the process: from now on, nothing that it awaits arrives. */
  die(): void;
  /** Until this true time, the process is suspended: nothing that it awaits arrives. */
  freeze(until: number): void;
  /** At this true time, the calls of the present invocation are aborted. */
  deadline: number;
  isPastDeadline(): boolean;
  /**
   * Resolves to the outcome, or rejects with what `outcome` throws, after this time. If the process dies, does neither.
   */
  after<Outcome>(milliseconds: number, outcome: () => Outcome): Promise<Outcome>;
  /** Like `after`, but for the answer of a call, which is aborted at the deadline. */
  answer<Outcome>(milliseconds: number, outcome: () => Outcome): Promise<Outcome>;
}

/** The error that the SDK throws for a call that is aborted at the deadline of a request. */
export class AbortError extends Error {
  override readonly name = 'AbortError';
}

const abort = (): never => {
  throw new AbortError('The deadline of the request has passed');
};

export const createProcess = (
  scheduler: Scheduler,
  { name, clockOffset }: { readonly name: string; readonly clockOffset: number },
): Process => {
  let isDead = false;
  let frozenUntil = 0;
  let atDeath: () => void = () => {};
  const after = <Outcome>(milliseconds: number, outcome: () => Outcome): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const arrive = (): void => {
        if (isDead) return;
        if (scheduler.now() < frozenUntil) {
          scheduler.at(frozenUntil, arrive);
          return;
        }
        try {
          resolve(outcome());
        } catch (error) {
          reject(error);
        }
      };
      scheduler.at(scheduler.now() + milliseconds, arrive);
    });
  const process: Process = {
    name,
    task: name,
    deadline: Number.POSITIVE_INFINITY,
    isPastDeadline: () => scheduler.now() >= process.deadline,
    clock: () => scheduler.now() + clockOffset,
    isDead: () => isDead,
    isFrozen: () => scheduler.now() < frozenUntil,
    onDeath: (act) => {
      atDeath = act;
    },
    die: () => {
      if (isDead) return;
      isDead = true;
      scheduler.at(scheduler.now() + 1, atDeath);
    },
    freeze: (until) => {
      frozenUntil = Math.max(frozenUntil, until);
    },
    after,
    answer: (milliseconds, outcome) => {
      const left = Math.max(0, process.deadline - scheduler.now());
      return left <= milliseconds ? after(left, abort) : after(milliseconds, outcome);
    },
  };
  return process;
};
