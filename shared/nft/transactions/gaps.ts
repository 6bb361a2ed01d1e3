import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { handlerLifetimeMilliseconds } from '../../platform/time/handler-lifetime.ts';
import { transferGasLimit } from '../collections/collection.ts';
import type { Chain, Signer } from '../ports/chain.ts';
import type { SignerState } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import { addressOfSigner, type Entry, type SignerId } from './entry.ts';
import type { FeeQuote } from './fees.ts';
import { signEntry } from './sign.ts';

/** If a reserved nonce has no log entry after this time, the handler that reserved it is dead. */
export const gapPatienceMilliseconds = handlerLifetimeMilliseconds + 5_000;

export interface RecordNoopDependencies {
  readonly signer: Signer;
  readonly transactionLog: Pick<TransactionLog, 'record'>;
  readonly clock: Clock;
}

export interface FillOwnNonceGapDependencies {
  readonly chain: Pick<Chain, 'broadcast'>;
  readonly signer: Signer;
  readonly transactionLog: Pick<TransactionLog, 'record'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * Records a noop transaction, a transfer of nothing from the signer to itself, with a nonce that has no log entry.
 * @returns the noop's entry. `undefined` if it was not recorded, usually because the nonce has an entry by now.
 */
export const recordNoop = async (
  dependencies: RecordNoopDependencies,
  {
    signer,
    nonce,
    feeQuote,
  }: { readonly signer: SignerId; readonly nonce: number; readonly feeQuote: FeeQuote },
): Promise<Entry | undefined> => {
  const entry = await signEntry(dependencies, {
    signer,
    nonce,
    unsigned: { purpose: { kind: 'noop' }, to: addressOfSigner(signer), data: '0x', gas: transferGasLimit },
    feeQuote,
  });
  const { outcome } = await dependencies.transactionLog.record({ entry });
  return outcome === 'recorded' ? entry : undefined;
};

/**
 * Tries immediately to fill a nonce gap that this handler has caused. A failure is only logged, because the waiter
 * fills the gap later.
 */
export const fillOwnNonceGap = async (
  dependencies: FillOwnNonceGapDependencies,
  gap: { readonly signer: SignerId; readonly nonce: number; readonly feeQuote: FeeQuote },
): Promise<void> => {
  try {
    const entry = await recordNoop(dependencies, gap);
    for (const { raw } of entry?.attempts ?? []) await dependencies.chain.broadcast(raw);
  } catch (error) {
    dependencies.logger.warn('Nonce gap not filled; the waiter will fill it', {
      signer: gap.signer,
      nonce: gap.nonce,
      error,
    });
  }
};

/**
 * Finds out which missing nonces are given up, and what to store about the others. A nonce is missing if it is reserved
 * but has no log entry. A missing nonce is given up when it was reserved longer than `gapPatienceMilliseconds` ago,
 * because the handler that reserved it has died by then. The reservation time of a single nonce is not stored. It is
 * certain to be before one of two other times:
 * - `lastTakenAt`, for all missing nonces. This is the time of the signer's last reservation.
 * - `gap.seenAt`, for missing nonces lower than `gap.through`, which was the signer's next nonce at that time.
 *
 * A missing nonce lower than `minedCount` was used outside of this service, because this service sends nothing without
 * an entry. It is given up immediately. If a handler still holds the nonce, the handler finds a noop transaction at it,
 * and reserves another nonce.
 */
export const reviewNonceGaps = ({
  missing,
  state,
  minedCount,
  now,
}: {
  readonly missing: readonly number[];
  readonly state: SignerState;
  /** Must be read from the chain before the log is read. */
  readonly minedCount: number;
  readonly now: number;
}): { readonly givenUp: readonly number[]; readonly gap: SignerState['gap'] } => {
  const used = missing.filter((nonce) => nonce < minedCount);
  const open = missing.filter((nonce) => nonce >= minedCount);
  if (open.length === 0) return { givenUp: used, gap: undefined };
  const isOver = (since: number): boolean => now - since >= gapPatienceMilliseconds;
  if (isOver(state.lastTakenAt)) return { givenUp: missing, gap: state.gap };
  const seen = state.gap ?? { through: state.nextNonce, seenAt: now };
  if (!isOver(seen.seenAt)) {
    const isCurrent = open.some((nonce) => nonce < seen.through);
    return { givenUp: used, gap: isCurrent ? seen : { through: state.nextNonce, seenAt: now } };
  }
  const old = open.filter((nonce) => nonce < seen.through);
  const isMore = open.length > old.length;
  return {
    givenUp: [...used, ...old],
    gap: isMore ? { through: state.nextNonce, seenAt: now } : undefined,
  };
};
