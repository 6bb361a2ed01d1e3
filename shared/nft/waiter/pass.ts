import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Chain, Signer } from '../ports/chain.ts';
import type { Executions } from '../ports/executions.ts';
import type { Gauges, MetricEvents } from '../ports/metrics.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Signers } from '../ports/signers.ts';
import type { Supplies } from '../ports/supplies.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import type { SignerId } from '../transactions/entry.ts';
import type { TransactionSettings } from '../transactions/settings.ts';
import { handOver } from './ensure-waiter.ts';
import { newPass, type Pass } from './pass-state.ts';
import { runRound } from './round.ts';
import { measuresOf } from './signer-measures.ts';

export interface RunPassDependencies {
  readonly chain: Chain;
  readonly signer: Signer;
  readonly signers: Signers;
  readonly transactionLog: TransactionLog;
  readonly nfts: Pick<Nfts, 'findRange'>;
  readonly supplies: Pick<Supplies, 'giveBackFailed'>;
  readonly executions: Executions;
  readonly events: MetricEvents & Gauges;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly settings: TransactionSettings;
  readonly replaceAfterMilliseconds: number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** How long a pass lasts. Must be less than its function's timeout. */
  readonly passMilliseconds: number;
  /**
   * The time from the start of one round to the start of the next: the chain's block time. If a round leaves entries
   * whose transactions are final, the next round starts immediately.
   */
  readonly roundMilliseconds: number;
}

/**
 * The input of a pass. The result of a pass is the input of the next one. The first input of an execution has no
 * `passes`.
 */
export interface PassInput {
  readonly signer: SignerId;
  readonly generation: string;
  readonly passes?: number;
}

export interface PassResult extends Required<PassInput> {
  readonly again: boolean;
}

/** Writes the signer's metrics. A failure is only logged, so that it does not stop transactions. */
const measure = async (pass: Pass<RunPassDependencies>): Promise<void> => {
  try {
    const measures = await measuresOf(pass);
    pass.events.measure({ signer: pass.signer.number, measures });
  } catch (error) {
    pass.logger.warn('The metrics of a signer could not be written', { signer: pass.id, error });
  }
};

/**
 * After this many passes a new execution takes over, because Step Functions limits the history of an execution to
 * 25,000 events.
 */
const passesAtMost = 200;

/**
 * Runs rounds until the outcome of every transaction is final or the time of the pass is over. If no round succeeded,
 * throws the error of the last round.
 */
export const runPass = async (
  dependencies: RunPassDependencies,
  { signer, generation, passes = 0 }: PassInput,
): Promise<PassResult> => {
  const pass = newPass(dependencies, signer);
  const deadline = dependencies.clock() + dependencies.passMilliseconds;
  const result = { signer, generation, passes: passes + 1 };
  let failure: { readonly error: unknown } | undefined;
  let hasSucceeded = false;
  let isFinished = false;

  while (!isFinished && dependencies.clock() < deadline) {
    const startedAt = dependencies.clock();
    let isMore = false;
    try {
      const state = await dependencies.signers.find(signer);
      if (state === undefined) throw new Error(`Signer ${signer} has a waiter but no item`);
      if (state.generation !== generation) return { ...result, again: false };
      const round = await runRound(pass, { state, deadline });
      isFinished = round === 'finished';
      isMore = round === 'more';
      hasSucceeded = true;
    } catch (error) {
      failure = { error };
      // Outdated entries may have caused the failure, so all entries are read again.
      pass.entries.clear();
      dependencies.logger.warn('A round failed and will be repeated', { signer, error });
    }
    const pause = startedAt + dependencies.roundMilliseconds - dependencies.clock();
    if (!isFinished && !isMore && pause > 0) await dependencies.wait(pause);
  }

  if (!hasSucceeded && failure !== undefined) throw failure.error;
  await measure(pass);
  if (!isFinished && result.passes < passesAtMost) return { ...result, again: true };
  await handOver(dependencies, { id: signer, generation });
  return { ...result, again: false };
};
