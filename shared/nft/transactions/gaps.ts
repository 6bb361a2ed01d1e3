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
 * Records a transfer of nothing to the signer itself at a nonce without an entry.
 *
 * @returns the entry, or `undefined` when the nonce has one meanwhile.
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

/**
 * Fills a handler's own gap at once, as best it can. A failure is logged; the waiter guarantees the fill and does it
 * later.
 */
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
 * Decides which missing nonces were given up by the handler that took them, and what to remember of the others.
 *
 * ```
 * taken        a nonce is reserved .......................... lastTakenAt
 * seen         it has no entry: every nonce below `through` was reserved at `seenAt`
 * given up     seenAt or lastTakenAt is older than a handler can live
 * ```
 *
 * A nonce below `minedCount` without an entry was not used by this service, which sends nothing without an entry: a
 * handler that still holds the nonce cannot use it any more, and takes another when it finds it filled.
 */
export const reviewNonceGaps = ({
  missing,
  state,
  minedCount,
  now,
}: {
  readonly missing: readonly number[];
  readonly state: SignerState;
  /** Read before the log was. */
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
