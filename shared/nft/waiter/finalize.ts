import type { Clock } from '../../platform/clock.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Entry, isKnownEntry } from '../entry.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { Chain } from '../ports/chain.ts';
import { type Events, nftEvents } from '../ports/events.ts';
import type { Finalization, TransactionLog } from '../ports/transaction-log.ts';
import { findFinalReceipts } from './final-receipts.ts';
import { type GiveBackPlacesDependencies, giveBackPlaces } from './give-back-places.ts';
import type { Pass, View } from './pass-state.ts';
import { receiptVerdict } from './receipt-verdict.ts';

export interface FinalizeDependencies extends GiveBackPlacesDependencies {
  readonly chain: Pick<
    Chain,
    'receipts' | 'lookUpReceipts' | 'blockHashes' | 'hasCode' | 'call' | 'findEvent' | 'revertReason'
  >;
  readonly transactionLog: Pick<TransactionLog, 'find' | 'finalize'>;
  readonly events: Events;
  readonly logger: Logger;
  readonly clock: Clock;
}

const decidedAtOnce = 200;

const verdictsAtOnce = 16;

const dueEntries = ({ entries }: Pass<object>, { finalCount }: View): Entry[] =>
  [...entries.values()]
    .filter(isKnownEntry)
    .filter(({ status, nonce }) => status === 'pending' && nonce < finalCount)
    .sort((a, b) => a.nonce - b.nonce)
    .slice(0, decidedAtOnce);

export interface Finalized {
  readonly absent: readonly Entry[];
  /** Whether the round examined the maximum number of entries. If so, there may be more entries for the next round. */
  readonly isMore: boolean;
}

/**
 * Sets the final status of entries whose receipts are final. An entry with a missing or contradictory receipt waits for
 * another round.
 */
export const finalize = async (pass: Pass<FinalizeDependencies>, view: View): Promise<Finalized> => {
  const { finalized } = view;
  const due = dueEntries(pass, view);
  if (due.length === 0 || finalized === undefined) return { absent: [], isMore: false };
  const { decidable, absent } = await findFinalReceipts(pass, { entries: due, at: finalized });
  const decisions = await inParallel(decidable, {
    atOnce: verdictsAtOnce,
    run: async ({ entry, receipt }): Promise<Finalization | undefined> => {
      try {
        const verdict = await receiptVerdict(pass, { entry, receipt, at: finalized });
        return { entry, verdict, at: pass.clock() };
      } catch (error) {
        if (!(error instanceof ChainUnavailableError)) throw error;
        pass.logger.info(
          'The outcome of a log entry is unknown: the chain is unavailable, or contradicts itself',
          {
            signer: pass.id,
            nonce: entry.nonce,
            error,
          },
        );
        return undefined;
      }
    },
  });
  const made = decisions.filter((decision) => decision !== undefined);
  await write(pass, made);
  return { absent, isMore: due.length === decidedAtOnce && made.length > 0 };
};

const write = async (pass: Pass<FinalizeDependencies>, decisions: readonly Finalization[]): Promise<void> => {
  if (decisions.length === 0) return;
  for (const decision of decisions) await giveBackPlaces(pass, decision);
  // The pass forgets these entries before it writes the decisions. If a decision is not written here, for example
  // because another waiter has already written it, the entry is read again.
  for (const { entry } of decisions) pass.entries.delete(entry.nonce);
  const decided = new Set(await pass.transactionLog.finalize(decisions));
  for (const { entry, verdict } of decisions) {
    if (!decided.has(entry)) continue;
    pass.entries.set(entry.nonce, { ...entry, status: verdict.status, minedHash: verdict.hash });
    if (verdict.status === 'confirmed') {
      const signedAt = entry.attempts[0]?.signedAt ?? pass.clock();
      pass.done.secondsToConfirmation.push((pass.clock() - signedAt) / 1_000);
    } else {
      const { kind } = entry.purpose;
      const isCancelled = entry.attempts.some(
        ({ hash, cancels }) => hash === verdict.hash && cancels === true,
      );
      pass.events.raise(isCancelled ? nftEvents.entryCancelled : nftEvents.entryFailed, {
        signer: entry.signer,
        nonce: entry.nonce,
        kind,
        reason: verdict.reason,
      });
    }
  }
};
