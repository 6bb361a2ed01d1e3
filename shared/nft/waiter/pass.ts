import type { Events, Gauges } from '../ports/events.ts';
import type { SignerId } from '../transactions/entry.ts';
import { endWatch, type Watching } from './executions.ts';
import { measuresOf } from './measures.ts';
import { startWatch, type Watch } from './pass-state.ts';
import type { Replacing } from './replace.ts';
import { round } from './round.ts';

export interface Passing extends Replacing, Watching {
  readonly events: Events & Gauges;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** How long a pass goes on: less than its function's time-out. */
  readonly passMilliseconds: number;
  /** From the start of one round to the next: the chain's time between blocks. */
  readonly roundMilliseconds: number;
}

/** Input and output of a pass; the first input of an execution has no count. */
export interface PassState {
  readonly signer: SignerId;
  readonly generation: string;
  readonly passes?: number;
}

export interface PassResult extends Required<PassState> {
  /** Whether the execution is to make another pass. */
  readonly again: boolean;
}

/** The numbers are for people; transactions do not wait for them. */
const measure = async (deps: Passing, watch: Watch): Promise<void> => {
  try {
    deps.events.measure(await measuresOf(deps, watch));
  } catch (error) {
    deps.logger.warn('A signer was not measured', { signer: watch.id, error });
  }
};

/** Then the execution hands over to a new one: far below the 25,000 events of an execution's history. */
const passesAtMost = 200;

/**
 * Works for its signer until everything is decided or its time is over. A round that fails is made again; a pass
 * none of whose rounds succeeds fails with the last one's error.
 */
export const pass = async (
  deps: Passing,
  { signer, generation, passes = 0 }: PassState,
): Promise<PassResult> => {
  const watch = startWatch(signer);
  const deadline = deps.clock() + deps.passMilliseconds;
  const result = { signer, generation, passes: passes + 1 };
  let failure: { readonly error: unknown } | undefined;
  let hasSucceeded = false;
  let isFinished = false;

  while (!isFinished && deps.clock() < deadline) {
    const startedAt = deps.clock();
    try {
      const state = await deps.signers.find(signer);
      if (state === undefined) throw new Error(`Signer ${signer} is watched and has no item`);
      if (state.generation !== generation) return { ...result, again: false };
      isFinished = (await round(deps, watch, { state, deadline })) === 'finished';
      hasSucceeded = true;
    } catch (error) {
      failure = { error };
      // What was read may be what was wrong.
      watch.entries.clear();
      deps.logger.warn('A round failed and is made again', { signer, error });
    }
    const pause = startedAt + deps.roundMilliseconds - deps.clock();
    if (!isFinished && pause > 0) await deps.wait(pause);
  }

  if (!hasSucceeded && failure !== undefined) throw failure.error;
  await measure(deps, watch);
  if (!isFinished && result.passes < passesAtMost) return { ...result, again: true };
  await endWatch(deps, { id: signer, generation });
  return { ...result, again: false };
};
