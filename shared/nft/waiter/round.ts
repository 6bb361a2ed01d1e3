import { unlessUnavailable } from '../../chain/unless-unavailable.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { transferGasLimit } from '../collections/collection.ts';
import type { Chain, Signer } from '../ports/chain.ts';
import { type MetricEvents, nftEvents } from '../ports/metrics.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { SignerProgress, SignerState, Signers } from '../ports/signers.ts';
import type { Supplies } from '../ports/supplies.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import { costOf, isDecided } from '../transactions/entry.ts';
import { currentFeeQuote } from '../transactions/fees.ts';
import { recordNoop, reviewNonceGaps } from '../transactions/gaps.ts';
import type { TransactionSettings } from '../transactions/settings.ts';
import { broadcastMissing } from './broadcast.ts';
import { finalize } from './finalize.ts';
import { type Pass, readLog, type View } from './pass-state.ts';
import { replaceStuck } from './replace.ts';
import { supersedeMissing } from './supersede.ts';
import { watchFinality } from './watch-finality.ts';

export interface RunRoundDependencies {
  readonly chain: Chain;
  readonly signer: Signer;
  readonly signers: Pick<
    Signers,
    'find' | 'create' | 'reserveNonce' | 'raiseNextNonce' | 'saveProgress' | 'saveGap' | 'close'
  >;
  readonly transactionLog: TransactionLog;
  readonly nfts: Pick<Nfts, 'findRange'>;
  readonly supplies: Pick<Supplies, 'giveBackFailed'>;
  readonly events: MetricEvents;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly settings: TransactionSettings;
  readonly replaceAfterMilliseconds: number;
}

const fillGaps = async (
  pass: Pass<RunRoundDependencies>,
  {
    view: { state, counts, finalized },
    missing,
  }: { readonly view: View; readonly missing: readonly number[] },
): Promise<void> => {
  const minedCount = counts.latest;
  // An endpoint that lags may not show what is final already. Nonces without an entry were then used outside of this
  // service, before its first one. The count and the final block may be of different endpoints.
  const [lowest = state.finalizedCount] = missing;
  const isFinalityInDoubt =
    lowest < state.finalizedCount && finalized !== undefined && finalized.number >= state.finalizedHeight;
  const finalCount = isFinalityInDoubt
    ? await pass.chain.minedCountAt(pass.address, finalized)
    : state.finalizedCount;
  const gaps = missing.filter((nonce) => nonce >= Math.min(finalCount, state.finalizedCount));
  const { givenUp, gap } = reviewNonceGaps({ missing: gaps, state, minedCount, now: pass.clock() });
  if (givenUp.length > 0) {
    const feeQuote = await currentFeeQuote(pass, transferGasLimit);
    for (const nonce of givenUp) {
      const entry = await recordNoop(pass, { signer: pass.id, nonce, feeQuote });
      if (entry === undefined) continue;
      pass.entries.set(nonce, entry);
      pass.events.raise(nftEvents.gapFilled, { signer: pass.id, nonce });
    }
  }
  if (gap?.seenAt !== state.gap?.seenAt || gap?.through !== state.gap?.through) {
    await pass.signers.saveGap({ id: pass.id, before: state.gap, after: gap });
  }
};

/** The progress to write to the signer's item after this round. Its counts and heights never fall. */
const progressOf = (
  { entries }: Pass<object>,
  { state, counts, finalized, finalCount }: View,
  { missing, fees }: { readonly missing: readonly number[]; readonly fees: SignerProgress['fees'] },
): SignerProgress => {
  const decidable = Math.min(finalCount, state.nextNonce);
  const hasVerdict = (nonce: number): boolean => {
    const entry = entries.get(nonce);
    return entry !== undefined && isDecided(entry);
  };
  let { finalizedCount } = state;
  while (finalizedCount < decidable && hasVerdict(finalizedCount)) finalizedCount += 1;

  const costedThrough = Math.max(state.costedThrough, missing[0] ?? state.nextNonce);
  const unminedCost = [...entries.values()]
    .filter(({ nonce }) => nonce >= counts.latest && nonce < costedThrough)
    .reduce((sum, entry) => sum + costOf(entry), 0n);
  return {
    // A count above the next nonce is wrong, or includes transactions of an outsider who has the signer's key.
    minedCount: Math.max(state.minedCount, Math.min(counts.latest, state.nextNonce)),
    finalizedCount,
    finalizedHeight: Math.max(state.finalizedHeight, finalized?.number ?? 0),
    unminedCost,
    costedThrough,
    fees,
  };
};

/**
 * The height of the last final block is not compared: it rises with every block, and is saved with whatever else
 * changes.
 */
const isSame = (progress: SignerProgress, state: SignerState): boolean =>
  progress.minedCount === state.minedCount &&
  progress.finalizedCount === state.finalizedCount &&
  progress.unminedCost === state.unminedCost &&
  progress.costedThrough === state.costedThrough &&
  progress.fees?.readAt === state.fees?.readAt;

/**
 * If the signer's key signed transactions outside of this service, tells operators and raises the signer's next nonce
 * above theirs. Waits until they are final, because a nonce that was raised for nothing costs a noop transaction.
 */
const followChain = async (pass: Pass<RunRoundDependencies>, { state, finalCount }: View): Promise<void> => {
  if (finalCount <= state.nextNonce) return;
  // This service itself may have reserved these nonces since the signer's item was read.
  const { nextNonce } = (await pass.signers.find(pass.id)) ?? state;
  if (finalCount <= nextNonce) return;
  // Told before the write: once the next nonce is raised, no round sees these transactions again.
  pass.events.raise(nftEvents.keyUsedElsewhere, { signer: pass.id, next: nextNonce, mined: finalCount });
  await pass.signers.raiseNextNonce({ id: pass.id, count: finalCount });
};

/**
 * Closes the reopened nonces whose entries are decided, and those whose entries the log has lost once more. Returns
 * whether the round has left none open.
 */
const closeDecided = async (
  { id, entries, signers }: Pass<RunRoundDependencies>,
  {
    view: {
      state: { reopened },
    },
    lost,
  }: { readonly view: View; readonly lost: readonly number[] },
): Promise<boolean> => {
  const decided = [...reopened].filter((nonce) => {
    const entry = entries.get(nonce);
    return entry === undefined ? lost.includes(nonce) : isDecided(entry);
  });
  if (decided.length > 0) await signers.close({ id, nonces: decided });
  return decided.length === reopened.size;
};

/**
 * Reads the signer's item and the chain once, and acts on them. A round may be cut off at any point, and another waiter
 * may run at the same time. Neither does harm, because each write is conditional on what was read.
 *
 * ```
 * step               is skipped                                 stands here because
 * transactionCounts  never: without an answer, the round fails  it is read after the signer's item, so the counts are
 *                                                               never older than the nonces in the item
 * finalizedBlock     if no endpoint answers                     all that the round decides, it decides as of this block
 * minedCountAt       without a final block, or if no reserved   it counts up to the final block
 *                    nonce can be newly final; or if no
 *                    endpoint answers
 * followChain        unless the final count is above the next   it needs the final count
 *                    nonce
 * watchFinality      without a final block                      all later questions already go to the next endpoint, if
 *                                                               this one stands still
 * readLog            never                                      it needs the counts, which say where to begin
 * broadcastMissing   never; it stops after many sends without   it needs the log, and what is mined next waits for it
 *                    an answer
 * finalize           without a final block, or if no endpoint   it needs the log
 *                    answers
 * fees               if no endpoint answers                     they are stored with the progress
 * saveProgress       if nothing has changed                     it counts what finalize has decided
 * fillGaps           if no endpoint answers                     it needs the nonces that readLog has missed; the next
 *                                                               round sends what it records
 * replaceStuck       in the first rounds of a nonce, and if no  broadcastMissing has sent what only has to be sent
 *                    endpoint answers
 * supersedeMissing   without a final block, or if no endpoint   it needs the entries for which finalize has found no
 *                    answers                                    receipt
 * closeDecided       if nothing was reopened                    finalize and supersedeMissing have decided before
 * ```
 *
 * @returns `finished` if every reserved nonce is final and on the chain, and its entry has a final status; `more` if
 * the next round has entries to finalize without waiting for another block.
 */
export const runRound = async (
  pass: Pass<RunRoundDependencies>,
  { state, deadline }: { readonly state: SignerState; readonly deadline: number },
): Promise<'finished' | 'unfinished' | 'more'> => {
  const { chain, clock, logger, id: signer } = pass;
  /** Runs one step. If no endpoint answers, only this step is skipped, and the next round tries it again. */
  const whereAnswered = <Result>(step: () => Promise<Result>, otherwise: Result): Promise<Result> =>
    unlessUnavailable(step, (error) => {
      logger.info('A step of the round was skipped, because the chain is unavailable', { signer, error });
      return otherwise;
    });
  const counts = await chain.transactionCounts(pass.address);
  const finalized = await whereAnswered(() => chain.finalizedBlock(), undefined);
  const isFinalCountUsed =
    finalized !== undefined && (counts.latest > state.finalizedCount || state.reopened.size > 0);
  const finalCount = isFinalCountUsed
    ? await whereAnswered(() => chain.minedCountAt(pass.address, finalized), 0)
    : 0;
  const view: View = { state, counts, finalized, finalCount };
  await followChain(pass, view);
  if (finalized !== undefined) await watchFinality(pass, finalized.number);

  const { missing, lost } = await readLog(pass, view);
  await broadcastMissing(pass, { view, deadline });
  const { absent, isMore } = await whereAnswered(() => finalize(pass, { view, deadline }), {
    absent: [],
    isMore: false,
  });
  // If no endpoint answers, the stored fees stay. Requests ignore stored fees that are too old.
  const fees = await whereAnswered(async () => ({ ...(await chain.fees()), readAt: clock() }), state.fees);
  const progress = progressOf(pass, view, { missing, fees });
  pass.done.mined += progress.minedCount - state.minedCount;
  if (!isSame(progress, state)) await pass.signers.saveProgress({ id: pass.id, progress });

  await whereAnswered(() => fillGaps(pass, { view, missing }), undefined);
  await whereAnswered(() => replaceStuck(pass, view), undefined);
  if (finalized !== undefined) {
    await whereAnswered(() => supersedeMissing(pass, { absent, at: finalized, deadline }), undefined);
  }
  const isAllClosed = await closeDecided(pass, { view, lost });
  // A higher count means transactions from outside of this service. They are not final yet, or this round has just
  // raised the next nonce because of them.
  const isFinished =
    progress.finalizedCount === state.nextNonce && counts.latest === state.nextNonce && isAllClosed;
  if (isFinished) return 'finished';
  return isMore ? 'more' : 'unfinished';
};
