import type { Clock } from '../../shared/platform/clock.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * A process of the service, such as an instance of a function. Whatever it awaits comes through `after`, so that it can
 * die or freeze at each of these points.
 */
export interface Process {
  readonly name: string;
  /** The process's idea of the time. */
  readonly clock: Clock;
  /** What the process works on at the moment. Faults are drawn by it. */
  task: string;
  isDead(): boolean;
  isFrozen(): boolean;
  /** Calls `act` soon after the process has died. Replaces what was to be called before. */
  onDeath(act: () => void): void;
  /** From now on, nothing that the process awaits arrives. */
  die(): void;
  /** Until this true time, nothing that the process awaits arrives. */
  freeze(until: number): void;
  /** Resolves with the outcome, or rejects with what it throws, when the time has passed. Never, if the process dies. */
  after<Outcome>(milliseconds: number, outcome: () => Outcome): Promise<Outcome>;
}

export const createProcess = (
  scheduler: Scheduler,
  { name, clockOffset }: { readonly name: string; readonly clockOffset: number },
): Process => {
  let isDead = false;
  let frozenUntil = 0;
  let atDeath: () => void = () => {};
  return {
    name,
    task: name,
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
    after: (milliseconds, outcome) =>
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
      }),
  };
};
