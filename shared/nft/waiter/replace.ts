import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { BroadcastOutcome, Chain, Signer } from '../ports/chain.ts';
import { type MetricEvents, nftEvents } from '../ports/metrics.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import {
  type Attempt,
  callOf,
  currentAttempt,
  hashesOf,
  type LoggedEntry,
  lastAttempt,
  type SignedCall,
} from '../transactions/entry.ts';
import { ceilingFor, replacementFeeQuote } from '../transactions/fees.ts';
import type { FeeLimits } from '../transactions/settings.ts';
import { signAttempt } from '../transactions/sign.ts';
import { broadcastEntry } from './broadcast.ts';
import { type Pass, raiseOnce, type View } from './pass-state.ts';

export interface AppendReplacementDependencies {
  readonly chain: Pick<Chain, 'fees'>;
  readonly signer: Signer;
  readonly transactionLog: Pick<TransactionLog, 'appendAttempt'>;
  readonly clock: Clock;
  readonly settings: FeeLimits;
}

export interface ReplaceStuckDependencies {
  readonly chain: Pick<Chain, 'whereabouts' | 'fees' | 'broadcast' | 'rotateEndpoint'>;
  readonly signer: Signer;
  readonly transactionLog: Pick<TransactionLog, 'appendAttempt' | 'noteTried'>;
  readonly events: MetricEvents;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly settings: FeeLimits;
  /** How long the lowest unmined transaction waits before its fees are raised. */
  readonly replaceAfterMilliseconds: number;
}

/**
 * The lowest unmined transaction is examined only after this many rounds. Most transactions are mined in the very next
 * block.
 */
const patientRounds = 2;

/**
 * The outcomes after which higher fees can help: the node has the transaction, or it demands higher fees. After any
 * other outcome, for example if the signer lacks funds, higher fees would not help and would only cost more.
 */
const isForFees: ReadonlySet<BroadcastOutcome> = new Set([
  'accepted',
  'already-known',
  'underpriced',
  'fee-below-base',
]);

export type Replacement =
  | { readonly outcome: 'appended'; readonly entry: LoggedEntry }
  | { readonly outcome: 'over-ceiling' }
  /** Another attempt was appended since the entry was read, or the entry was superseded. */
  | { readonly outcome: 'changed' };

/**
 * Signs a call with replacement fees and appends it to the entry as a new attempt. An attempt must be appended before
 * it is sent.
 */
export const appendReplacement = async (
  dependencies: AppendReplacementDependencies,
  entry: LoggedEntry,
  call: SignedCall & Pick<Attempt, 'cancels'>,
): Promise<Replacement> => {
  const feeQuote = replacementFeeQuote(
    lastAttempt(entry),
    await dependencies.chain.fees(),
    ceilingFor(dependencies.settings, call.gas),
  );
  if (feeQuote === undefined) return { outcome: 'over-ceiling' };
  const attempt = await signAttempt(dependencies, {
    from: entry.signer,
    nonce: entry.nonce,
    ...call,
    feeQuote,
  });
  if (!(await dependencies.transactionLog.appendAttempt({ entry, attempt }))) return { outcome: 'changed' };
  return { outcome: 'appended', entry: { ...entry, attempts: [...entry.attempts, attempt] } };
};

export const currentCall = (entry: LoggedEntry): SignedCall & Pick<Attempt, 'cancels'> => {
  const attempt = currentAttempt(entry);
  return { ...callOf(attempt), cancels: attempt.cancels };
};

/**
 * Replaces the transaction. Rotates the endpoint first: perhaps the preferred one accepts transactions and passes none
 * on. If the fee ceiling allows no replacement, the transaction itself is sent to the next endpoint.
 */
const replace = async (pass: Pass<ReplaceStuckDependencies>, entry: LoggedEntry): Promise<void> => {
  await pass.chain.rotateEndpoint();
  const replacement = await appendReplacement(pass, entry, currentCall(entry));
  switch (replacement.outcome) {
    case 'over-ceiling':
      raiseOnce(pass, nftEvents.feeCeilingReached, { nonce: entry.nonce });
      await broadcastEntry(pass, entry);
      return;
    case 'changed':
      pass.entries.delete(entry.nonce);
      return;
    case 'appended':
      pass.entries.set(entry.nonce, replacement.entry);
      await broadcastEntry(pass, replacement.entry);
  }
};

/**
 * Replaces the lowest unmined transaction if it has waited too long, because all others wait for it. The waiting time
 * starts at the entry's `triedAt`, whatever the nodes answer, and starts again with each new attempt.
 */
export const replaceStuck = async (pass: Pass<ReplaceStuckDependencies>, { counts }: View): Promise<void> => {
  const entry = pass.entries.get(counts.latest);
  if (entry === undefined) {
    pass.head = undefined;
    return;
  }
  const before = pass.head?.nonce === entry.nonce ? pass.head : { rounds: 0, rotatedAt: 0 };
  const head = { ...before, nonce: entry.nonce, rounds: before.rounds + 1 };
  pass.head = head;
  if (head.rounds <= patientRounds) return;

  const whereabouts = await pass.chain.whereabouts(hashesOf(entry));
  // The transaction was mined after `counts` was read.
  if (whereabouts.values().some((one) => one === 'mined')) return;
  const isNewestPooled = whereabouts.get(currentAttempt(entry).hash) === 'pool';
  const outcome = isNewestPooled ? undefined : await broadcastEntry(pass, entry);
  if (entry.triedAt === undefined) {
    await pass.transactionLog.noteTried({ entry, at: pass.clock() });
    pass.entries.delete(entry.nonce);
    return;
  }
  if (outcome !== undefined && !isForFees.has(outcome)) return;
  const now = pass.clock();
  const since = Math.max(entry.triedAt, lastAttempt(entry).signedAt, head.rotatedAt);
  if (now - since < pass.replaceAfterMilliseconds) return;
  pass.head = { ...head, rotatedAt: now };
  await replace(pass, entry);
};
