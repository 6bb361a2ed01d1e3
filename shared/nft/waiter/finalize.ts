import type { BlockId } from '../../chain/receipt.ts';
import { unlessUnavailable } from '../../chain/unless-unavailable.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Chain } from '../ports/chain.ts';
import { type MetricEvents, nftEvents } from '../ports/metrics.ts';
import type { Finalization, TransactionLog } from '../ports/transaction-log.ts';
import { decisionTime, type Entry, isDecided, isKnownEntry, mintedTokens } from '../transactions/entry.ts';
import { mintsTokens } from '../transactions/purpose.ts';
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
  readonly events: MetricEvents;
  readonly logger: Logger;
  readonly clock: Clock;
}

const decidedAtOnce = 200;

/**
 * The receipt of a mint has about a kilobyte for each token. Endpoints must return the receipts of this many tokens in
 * time, and within their limits.
 */
const tokensAtOnce = 1_000;

const verdictsAtOnce = 16;

const dueEntries = ({ entries }: Pass<object>, { finalCount }: View): Entry[] =>
  [...entries.values()]
    .filter(isKnownEntry)
    .filter((entry) => !isDecided(entry) && entry.nonce < finalCount)
    .sort((a, b) => a.nonce - b.nonce)
    .slice(0, decidedAtOnce);

const tokensOf = ({ purpose }: Entry): number => (mintsTokens(purpose) ? mintedTokens(purpose).length : 0);

/** Splits entries, in order, into groups that mint at most `tokensAtOnce` tokens or have a single entry. */
const groupsOf = (entries: readonly Entry[]): Entry[][] => {
  const groups: Entry[][] = [];
  let tokens = 0;
  for (const entry of entries) {
    tokens += tokensOf(entry);
    if (groups.length === 0 || tokens > tokensAtOnce) {
      groups.push([]);
      tokens = tokensOf(entry);
    }
    groups.at(-1)?.push(entry);
  }
  return groups;
};

export interface Finalized {
  readonly absent: readonly Entry[];
  /** Whether the round examined the maximum number of entries. If so, there may be more entries for the next round. */
  readonly isMore: boolean;
}

/**
 * Sets the final status of entries whose receipts are final. An entry with a missing or contradictory receipt waits for
 * another round.
 */
export const finalize = async (
  pass: Pass<FinalizeDependencies>,
  { view, deadline }: { readonly view: View; readonly deadline: number },
): Promise<Finalized> => {
  const { finalized } = view;
  if (finalized === undefined) return { absent: [], isMore: false };
  const due = dueEntries(pass, view);
  const absent: Entry[] = [];
  let made = 0;
  for (const entries of groupsOf(due)) {
    const group = await decide(pass, { entries, at: finalized, deadline });
    absent.push(...group.absent);
    made += group.made;
    if (pass.clock() >= deadline) break;
  }
  return { absent, isMore: due.length === decidedAtOnce && made > 0 };
};

/** Returns the entries without a receipt, and how many entries were decided. */
const decide = async (
  pass: Pass<FinalizeDependencies>,
  {
    entries,
    at: finalized,
    deadline,
  }: { readonly entries: readonly Entry[]; readonly at: BlockId; readonly deadline: number },
): Promise<{ readonly absent: readonly Entry[]; readonly made: number }> => {
  const { decidable, absent } = await findFinalReceipts(pass, { entries, at: finalized });
  const decisions = await inParallel(decidable, {
    atOnce: verdictsAtOnce,
    run: async ({ entry, receipt }): Promise<Finalization | undefined> => {
      // The verdict about restored work may take a long search.
      if (pass.clock() >= deadline) return undefined;
      return unlessUnavailable(
        async () => {
          const verdict = await receiptVerdict(pass, { entry, receipt, at: finalized });
          return { entry, verdict, at: decisionTime(entry, verdict.hash, pass.clock()) };
        },
        (error) => {
          const { nonce } = entry;
          pass.logger.info(
            'The outcome of a log entry is unknown: the chain is unavailable, or contradicts itself',
            { signer: pass.id, nonce, error },
          );
          return undefined;
        },
      );
    },
  });
  const made = decisions.filter((decision) => decision !== undefined);
  await write(pass, made);
  return { absent, made: made.length };
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
