import { ChainUnavailableError } from '../ports/chain.ts';
import { nftEvents } from '../ports/events.ts';
import type { Progress, SignerState } from '../ports/signers.ts';
import { costOf } from '../transactions/entry.ts';
import { currentOffer } from '../transactions/fees.ts';
import { fillNonce, judgeGaps } from '../transactions/gaps.ts';
import { sendMissing } from './broadcast.ts';
import { decide } from './finalize.ts';
import { readLog, type View, type Watch } from './pass-state.ts';
import { type Replacing, tendHead } from './replace.ts';
import { supersedeMissing } from './supersede.ts';

/** Finality that stands still for so long is told of; Polygon's moves every few seconds. */
const finalityPatienceMilliseconds = 30_000;

const fillGaps = async (
  deps: Replacing,
  watch: Watch,
  { state, missing }: { readonly state: SignerState; readonly missing: readonly number[] },
): Promise<void> => {
  const { givenUp, gap } = judgeGaps({ missing, state, now: deps.clock() });
  if (givenUp.length > 0) {
    const offer = await currentOffer(deps.chain, deps.settings.feeCeiling);
    for (const nonce of givenUp) {
      const entry = await fillNonce(deps, { signer: watch.id, nonce, offer });
      if (entry === undefined) continue;
      watch.entries.set(nonce, entry);
      deps.events.raise(nftEvents.gapFilled, { signer: watch.id, nonce });
    }
  }
  if (gap?.seenAt !== state.gap?.seenAt || gap?.through !== state.gap?.through) {
    await deps.signers.saveGap({ id: watch.id, before: state.gap, after: gap });
  }
};

/** What the signer's item is to say after this round. Nothing in it falls. */
const progressOf = (
  watch: Watch,
  { state, counts, finalized }: View,
  { missing, fees }: { readonly missing: readonly number[]; readonly fees: Progress['fees'] },
): Progress => {
  const decidable = Math.min(counts.finalized, state.nextNonce);
  const isDecided = (nonce: number): boolean => {
    const entry = watch.entries.get(nonce);
    return entry !== undefined && entry.status !== 'pending';
  };
  let { finalizedCount } = state;
  while (finalizedCount < decidable && isDecided(finalizedCount)) finalizedCount += 1;

  const costedThrough = Math.max(state.costedThrough, missing[0] ?? state.nextNonce);
  const unminedCost = [...watch.entries.values()]
    .filter(({ nonce }) => nonce >= counts.latest && nonce < costedThrough)
    .reduce((sum, entry) => sum + costOf(entry), 0n);
  return {
    minedCount: Math.max(state.minedCount, counts.latest),
    finalizedCount,
    finalizedHeight: Math.max(state.finalizedHeight, finalized.number),
    unminedCost,
    costedThrough,
    fees,
  };
};

const isSame = (progress: Progress, state: SignerState): boolean =>
  progress.minedCount === state.minedCount &&
  progress.finalizedCount === state.finalizedCount &&
  progress.unminedCost === state.unminedCost &&
  progress.costedThrough === state.costedThrough &&
  progress.fees?.readAt === state.fees?.readAt;

/** While finality stands still another endpoint is asked, time after time: the chain itself may go on. */
const watchFinality = async (deps: Replacing, watch: Watch, height: number): Promise<void> => {
  const now = deps.clock();
  if (watch.finality === undefined || height > watch.finality.height) {
    watch.finality = { height, since: now };
    return;
  }
  if (now - watch.finality.since < finalityPatienceMilliseconds) return;
  watch.finality = { ...watch.finality, since: now };
  if (!watch.raised.has(nftEvents.finalityStalled)) {
    watch.raised.add(nftEvents.finalityStalled);
    deps.events.raise(nftEvents.finalityStalled, { signer: watch.id, height });
  }
  await deps.chain.preferAnother();
};

/** The key signed more than the log handed out: what is next starts above, and what was used up is looked into. */
const followChain = async (deps: Replacing, watch: Watch, { state, counts }: View): Promise<void> => {
  if (counts.latest <= state.nextNonce) return;
  // Nonces that were handed out and mined since the item was read are the log's own.
  if (!(await deps.signers.raiseNextNonce({ id: watch.id, count: counts.latest }))) return;
  deps.events.raise(nftEvents.keyUsedElsewhere, {
    signer: watch.id,
    next: state.nextNonce,
    mined: counts.latest,
  });
};

/** What handlers are to offer; without an answer what was known stays, and grows too old by itself. */
const feesNow = async (
  { chain, clock, logger }: Replacing,
  state: SignerState,
): Promise<Progress['fees']> => {
  try {
    return { ...(await chain.fees()), readAt: clock() };
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    logger.info('The fees are not known anew', { signer: state.id, error });
    return state.fees;
  }
};

/**
 * One look at the signer and the chain, and everything that follows from it. A round can be cut off anywhere,
 * and another waiter may do the same at the same time: each write is conditional on what was read.
 *
 * @returns whether everything that was handed out is final, decided and on the chain.
 */
export const round = async (
  deps: Replacing,
  watch: Watch,
  { state, deadline }: { readonly state: SignerState; readonly deadline: number },
): Promise<'finished' | 'unfinished'> => {
  // After the signer's item, so that the chain is not behind the nonces that the item speaks of.
  const counts = await deps.chain.transactionCounts(watch.address);
  const view: View = { state, counts, finalized: await deps.chain.finalizedBlock() };
  await followChain(deps, watch, view);
  await watchFinality(deps, watch, view.finalized.number);

  const missing = await readLog(deps.log, watch, view);
  await sendMissing(deps, watch, { view, deadline });
  const absent = await decide(deps, watch, view);
  const fees = await feesNow(deps, state);
  const progress = progressOf(watch, view, { missing, fees });
  if (!isSame(progress, state)) await deps.signers.saveProgress({ id: watch.id, progress });

  await fillGaps(deps, watch, { state, missing });
  await tendHead(deps, watch, view);
  await supersedeMissing(deps, watch, absent);
  const isFinished = progress.finalizedCount === state.nextNonce && counts.latest >= state.nextNonce;
  return isFinished ? 'finished' : 'unfinished';
};
