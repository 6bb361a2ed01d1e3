import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Entry, SignerId } from '../entry.ts';
import type { Chain, Signer } from '../ports/chain.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import type { Offer } from './fees.ts';
import { fillOwnGap } from './gaps.ts';
import { reserveNonce } from './nonce.ts';
import { type Draft, signEntry } from './sign.ts';

export interface WithNonceDependencies {
  readonly chain: Pick<Chain, 'transactionCounts' | 'finalizedBlock' | 'broadcast'>;
  readonly signer: Signer;
  readonly signers: Pick<Signers, 'create' | 'reserveNonce'>;
  readonly transactionLog: Pick<TransactionLog, 'record'>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
}

/** An entry at a nonce that was reserved for it, signed and not yet written. */
export interface SignedEntry {
  readonly entry: Entry;
  /** The signer's, as the reservation left it. */
  readonly state: SignerState;
}

export interface Written<Outcome> {
  readonly outcome: Outcome;
  /** Whether the nonce has an entry now, this one or another's; else it is filled. */
  readonly isNonceUsed: boolean;
}

/**
 * Reserves a nonce, signs for it and writes what was signed: `write` says how, and whether that used the nonce. One
 * that was not used is filled before this ends; should the process end instead, the waiter fills it. A draft that is
 * still being made does not hold up the nonce; without it there is nothing to sign, and the nonce is filled.
 */
export const withNonce = async <Outcome>(
  dependencies: WithNonceDependencies,
  {
    signer,
    draft,
    offer,
    write,
  }: {
    readonly signer: SignerId;
    readonly draft: Draft | Promise<Draft>;
    readonly offer: Offer;
    readonly write: (signed: SignedEntry) => Promise<Written<Outcome>>;
  },
): Promise<Outcome> => {
  const [reserved, drafted] = await Promise.allSettled([reserveNonce(dependencies, signer), draft]);
  if (reserved.status === 'rejected') throw reserved.reason;
  const { nonce, state } = reserved.value;
  const gap = { signer, nonce, offer };
  try {
    if (drafted.status === 'rejected') throw drafted.reason;
    const entry = await signEntry(dependencies, { signer, nonce, draft: drafted.value, offer });
    const { outcome, isNonceUsed } = await write({ entry, state });
    if (!isNonceUsed) await fillOwnGap(dependencies, gap);
    return outcome;
  } catch (error) {
    // The answer may be lost and the entry written: then filling finds the nonce used.
    await fillOwnGap(dependencies, gap);
    throw error;
  }
};
