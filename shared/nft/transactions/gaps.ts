import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { transferGasLimit } from '../collection/collection.ts';
import { addressOfSigner, type Entry, type SignerId } from '../entry.ts';
import type { Chain, Signer } from '../ports/chain.ts';
import type { SignerState } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import type { FeeQuote } from './fees.ts';
import { gapPatienceMilliseconds } from './settings.ts';
import { signEntry } from './sign.ts';

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
 * Records a noop transaction, which transfers nothing to the signer itself, at a nonce without an entry.
 * @returns the entry, or `undefined` if the nonce has got an entry meanwhile.
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
    unsigned: { purpose: { kind: 'fill' }, to: addressOfSigner(signer), data: '0x', gas: transferGasLimit },
    feeQuote,
  });
  const { outcome } = await dependencies.transactionLog.record({ entry });
  return outcome === 'recorded' ? entry : undefined;
};

/** Tries to fill the handler's own nonce gap at once. A failure is only logged: the waiter fills the gap later. */
export const fillOwnNonceGap = async (
  dependencies: FillOwnNonceGapDependencies,
  gap: { readonly signer: SignerId; readonly nonce: number; readonly feeQuote: FeeQuote },
): Promise<void> => {
  try {
    const entry = await recordNoop(dependencies, gap);
    for (const { raw } of entry?.attempts ?? []) await dependencies.chain.broadcast(raw);
  } catch (error) {
    dependencies.logger.warn('A gap is left to the waiter', { signer: gap.signer, nonce: gap.nonce, error });
  }
};

/**
 * Decides which missing nonces their handlers have given up, and what to remember about the others.
 *
 * ```
 * taken        a nonce is reserved .......................... lastTakenAt
 * seen         it has no entry: every nonce lower than `through` was reserved at `seenAt`
 * given up     seenAt or lastTakenAt is longer ago than a handler can live
 * ```
 *
 * A missing nonce lower than `minedCount` was used outside of this service, which sends nothing without an entry. A
 * handler that still holds such a nonce can no longer use it. It takes another nonce when it finds this one filled.
 */
export const reviewNonceGaps = ({
  missing,
  state,
  minedCount,
  now,
}: {
  readonly missing: readonly number[];
  readonly state: SignerState;
  /** Must be read before the log. */
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
