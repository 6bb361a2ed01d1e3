import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Entry, SignerId } from '../entry.ts';
import { LogBusyError, RecordingUnknownError } from '../errors.ts';
import type { Address } from '../hex.ts';
import type { Chain } from '../ports/chain.ts';
import type { Claims, ResourceReference } from '../ports/claims.ts';
import type { DailyCounts } from '../ports/daily-counts.ts';
import type { Events } from '../ports/events.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import type { KeyRing } from '../transactions/key-ring.ts';
import { isInFlight } from '../transactions/nonce.ts';
import { handlerDeadline, sendingDeadline, type TransactionSettings } from '../transactions/settings.ts';
import { type AdmissionRequest, admit, letGo } from './admit.ts';
import type { FundsGuard } from './funds.ts';
import type { LogHeat } from './log-heat.ts';
import { type Plan, type Recorded, recordTransaction } from './record-transaction.ts';

export interface SubmitDependencies {
  readonly chain: Pick<Chain, 'fees' | 'transactionCounts' | 'finalizedBlock' | 'broadcast'>;
  readonly keys: KeyRing;
  readonly signers: Pick<Signers, 'find' | 'create' | 'reserveNonce'>;
  readonly transactionLog: Pick<TransactionLog, 'record' | 'find'>;
  readonly claims: Claims;
  readonly counts: DailyCounts;
  readonly requireFunds: FundsGuard;
  readonly logHeat: LogHeat;
  readonly events: Events;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
  /** Waits before try number 2, 3, … of a recording. */
  readonly pause: (tried: number) => Promise<void>;
  readonly settings: TransactionSettings;
}

/** A request that is to become a transaction, and what that makes. */
export interface Submission<Made> extends AdmissionRequest {
  /** Reserves what it needs besides a nonce, and says what is signed and made. */
  readonly reserve: (owner: { readonly id: SignerId; readonly address: Address }) => Promise<Plan<Made>>;
  /** What an earlier request with the same key made, as it is now. */
  readonly madeBefore: (result: ResourceReference) => Promise<Made>;
}

/** Sends what was recorded, if the signer's flight and the handler's time allow; else the waiter does. */
export const broadcastRecorded = async (
  {
    chain,
    clock,
    logger,
    settings,
  }: Pick<SubmitDependencies, 'clock' | 'logger' | 'settings'> & {
    readonly chain: Pick<Chain, 'broadcast'>;
  },
  {
    entry,
    state,
    startedAt,
  }: { readonly entry: Entry; readonly state: SignerState; readonly startedAt: number },
): Promise<void> => {
  const { nonce } = entry;
  if (!isInFlight({ nonce, minedCount: state.minedCount, cap: settings.inFlightCap })) return;
  if (clock() >= sendingDeadline(startedAt)) return;
  for (const { raw } of entry.attempts) {
    const { outcome, detail } = await chain.broadcast(raw);
    if (outcome !== 'accepted' && outcome !== 'already-known') {
      logger.warn('The waiter sends it again', { nonce, outcome, detail });
    }
  }
};

/**
 * Makes a request into a recorded transaction, and sends it as far as the signer's flight allows.
 *
 * ```
 * admit       refuses what cannot be done now, and claims the key    nothing of the signer's is taken
 * reserve     a nonce, and beside it what else is needed: token ids  what is not used is filled
 * record      transaction, resource and the key's result             one write: from here on it is promised
 * broadcast   as best it can                                         the waiter sends it again, whatever happens
 * ```
 */
export const submit = async <Made>(
  dependencies: SubmitDependencies,
  submission: Submission<Made>,
): Promise<Made> => {
  const startedAt = dependencies.clock();
  const admission = await admit(dependencies, { ...submission, startedAt });
  if (admission.outcome === 'replayed') return submission.madeBefore(admission.result);

  const {
    signer: { id, signer },
    offer,
    held,
  } = admission;
  const deadline = handlerDeadline(startedAt);
  let recorded: Recorded<Made>;
  try {
    const plan = submission.reserve({ id, address: await signer.address() });
    const recording = { signer: id, offer, plan, claim: held.claim, deadline };
    recorded = await recordTransaction({ ...dependencies, signer }, recording);
  } catch (error) {
    if (error instanceof LogBusyError) dependencies.logHeat.noteBusy();
    await letGo(dependencies, { held, isUnknown: error instanceof RecordingUnknownError });
    throw error;
  }
  if (recorded.outcome === 'replayed') {
    await letGo(dependencies, { held, isUnknown: false });
    return submission.madeBefore(recorded.result);
  }

  await broadcastRecorded(dependencies, { ...recorded, startedAt });
  return recorded.made;
};
