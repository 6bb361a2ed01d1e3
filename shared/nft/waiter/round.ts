import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { transferGasLimit } from '../collection/collection.ts';
import { costOf } from '../entry.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { Chain, Signer } from '../ports/chain.ts';
import { type Events, nftEvents } from '../ports/events.ts';
import type { Progress, SignerState, Signers } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import { currentFeeQuote } from '../transactions/fees.ts';
import { fillNonce, reviewGaps } from '../transactions/gaps.ts';
import type { TransactionSettings } from '../transactions/settings.ts';
import { broadcastMissing } from './broadcast.ts';
import { finalize } from './finalize.ts';
import { type PassState, readLog, type View } from './pass-state.ts';
import { replaceStuck } from './replace.ts';
import { supersedeMissing } from './supersede.ts';

export interface RunRoundDependencies {
  readonly chain: Chain;
  readonly signer: Signer;
  readonly signers: Pick<Signers, 'create' | 'reserveNonce' | 'raiseNextNonce' | 'saveProgress' | 'saveGap'>;
  readonly transactionLog: TransactionLog;
  readonly events: Events;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly settings: TransactionSettings;
  readonly replaceAfterMilliseconds: number;
}

/** Finality that stands still for so long is told of; Polygon's moves every few seconds. */
const finalityPatienceMilliseconds = 30_000;

const fillGaps = async (
  dependencies: RunRoundDependencies,
  passState: PassState,
  { view: { state, counts }, missing }: { readonly view: View; readonly missing: readonly number[] },
): Promise<void> => {
  const minedCount = counts.latest;
  const { givenUp, gap } = reviewGaps({ missing, state, minedCount, now: dependencies.clock() });
  if (givenUp.length > 0) {
    const feeQuote = await currentFeeQuote(dependencies, transferGasLimit);
    for (const nonce of givenUp) {
      const entry = await fillNonce(dependencies, { signer: passState.id, nonce, feeQuote });
      if (entry === undefined) continue;
      passState.entries.set(nonce, entry);
      dependencies.events.raise(nftEvents.gapFilled, { signer: passState.id, nonce });
    }
  }
  if (gap?.seenAt !== state.gap?.seenAt || gap?.through !== state.gap?.through) {
    await dependencies.signers.saveGap({ id: passState.id, before: state.gap, after: gap });
  }
};

/** What the signer's item is to say after this round. Nothing in it falls. */
const progressOf = (
  passState: PassState,
  { state, counts, finalized }: View,
  { missing, fees }: { readonly missing: readonly number[]; readonly fees: Progress['fees'] },
): Progress => {
  const decidable = Math.min(counts.finalized, state.nextNonce);
  const isDecided = (nonce: number): boolean => {
    const entry = passState.entries.get(nonce);
    return entry !== undefined && entry.status !== 'pending';
  };
  let { finalizedCount } = state;
  while (finalizedCount < decidable && isDecided(finalizedCount)) finalizedCount += 1;

  const costedThrough = Math.max(state.costedThrough, missing[0] ?? state.nextNonce);
  const unminedCost = [...passState.entries.values()]
    .filter(({ nonce }) => nonce >= counts.latest && nonce < costedThrough)
    .reduce((sum, entry) => sum + costOf(entry), 0n);
  return {
    minedCount: Math.max(state.minedCount, counts.latest),
    finalizedCount,
    finalizedHeight: Math.max(state.finalizedHeight, finalized?.number ?? 0),
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
const watchFinality = async (
  dependencies: RunRoundDependencies,
  passState: PassState,
  height: number,
): Promise<void> => {
  const now = dependencies.clock();
  if (passState.finality === undefined || height > passState.finality.height) {
    passState.finality = { height, since: now };
    return;
  }
  if (now - passState.finality.since < finalityPatienceMilliseconds) return;
  passState.finality = { ...passState.finality, since: now };
  if (!passState.raised.has(nftEvents.finalityStalled)) {
    passState.raised.add(nftEvents.finalityStalled);
    dependencies.events.raise(nftEvents.finalityStalled, { signer: passState.id, height });
  }
  await dependencies.chain.preferAnother();
};

/** The key signed more than the log handed out: what is next starts above, and what was used up is looked into. */
const followChain = async (
  dependencies: RunRoundDependencies,
  passState: PassState,
  { state, counts }: View,
): Promise<void> => {
  if (counts.latest <= state.nextNonce) return;
  // Nonces that were handed out and mined since the item was read are the log's own.
  if (!(await dependencies.signers.raiseNextNonce({ id: passState.id, count: counts.latest }))) return;
  dependencies.events.raise(nftEvents.keyUsedElsewhere, {
    signer: passState.id,
    next: state.nextNonce,
    mined: counts.latest,
  });
};

/** A question that no endpoint answers waits for the next round, and keeps nothing else from being done in this one. */
const ifAnswered = async <Result>(
  { logger }: Pick<RunRoundDependencies, 'logger'>,
  {
    signer,
    step,
    otherwise,
  }: { readonly signer: string; readonly step: () => Promise<Result>; readonly otherwise: Result },
): Promise<Result> => {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    logger.info('A step of the round waits for the chain', { signer, error });
    return otherwise;
  }
};

/**
 * One look at the signer and the chain, and everything that follows from it. A round can be cut off anywhere,
 * and another waiter may do the same at the same time: each write is conditional on what was read.
 *
 * @returns whether everything that was handed out is final, decided and on the chain; `more` when the next round has
 * decisions to make that need not wait for another block.
 */
export const runRound = async (
  dependencies: RunRoundDependencies,
  passState: PassState,
  { state, deadline }: { readonly state: SignerState; readonly deadline: number },
): Promise<'finished' | 'unfinished' | 'more'> => {
  const { chain, clock } = dependencies;
  const whereAnswered = <Result>(step: () => Promise<Result>, otherwise: Result): Promise<Result> =>
    ifAnswered(dependencies, { signer: passState.id, step, otherwise });
  // After the signer's item, so that the chain is not behind the nonces that the item speaks of.
  const counts = await chain.transactionCounts(passState.address);
  const finalized = await whereAnswered(() => chain.finalizedBlock(), undefined);
  const view: View = { state, counts, finalized };
  await followChain(dependencies, passState, view);
  if (finalized !== undefined) await watchFinality(dependencies, passState, finalized.number);

  const missing = await readLog(dependencies.transactionLog, passState, view);
  await broadcastMissing(dependencies, passState, { view, deadline });
  const { absent, isMore } = await whereAnswered(() => finalize(dependencies, passState, view), {
    absent: [],
    isMore: false,
  });
  // Without an answer the fees that were known stay, and grow too old by themselves.
  const fees = await whereAnswered(async () => ({ ...(await chain.fees()), readAt: clock() }), state.fees);
  const progress = progressOf(passState, view, { missing, fees });
  passState.done.mined += progress.minedCount - state.minedCount;
  if (!isSame(progress, state)) await dependencies.signers.saveProgress({ id: passState.id, progress });

  await whereAnswered(() => fillGaps(dependencies, passState, { view, missing }), undefined);
  await whereAnswered(() => replaceStuck(dependencies, passState, view), undefined);
  if (finalized !== undefined) {
    await whereAnswered(
      () => supersedeMissing(dependencies, passState, { absent, at: finalized }),
      undefined,
    );
  }
  const isFinished = progress.finalizedCount === state.nextNonce && counts.latest >= state.nextNonce;
  if (isFinished) return 'finished';
  return isMore ? 'more' : 'unfinished';
};
