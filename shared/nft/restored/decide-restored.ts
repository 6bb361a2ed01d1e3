import { ChainUnavailableError } from '../../chain/errors.ts';
import type { BlockId } from '../../chain/receipt.ts';
import { decodeOwner, encodeOwnerOf } from '../collections/collection.ts';
import type { Chain } from '../ports/chain.ts';
import type { Finalization, TransactionLog } from '../ports/transaction-log.ts';
import { addressOfSigner, type Entry, firstSignedAt, mintedTokens } from '../transactions/entry.ts';
import { mintsTokens } from '../transactions/purpose.ts';
import { findFinalReceipts } from '../waiter/final-receipts.ts';
import { findMaker } from '../waiter/find-maker.ts';
import { receiptVerdict } from '../waiter/receipt-verdict.ts';

export interface DecideRestoredDependencies {
  readonly chain: Pick<
    Chain,
    | 'minedCountAt'
    | 'receipts'
    | 'lookUpReceipts'
    | 'blockHashes'
    | 'hasCode'
    | 'call'
    | 'findEvent'
    | 'revertReason'
  >;
  readonly transactionLog: Pick<TransactionLog, 'find'>;
}

export type RestoredOutcome =
  | { readonly outcome: 'decided'; readonly verdict: Finalization['verdict'] }
  /** Its nonce is not used by a final transaction. */
  | { readonly outcome: 'open' }
  /** Another transaction used its nonce, and its work is not on the chain. */
  | { readonly outcome: 'lost' }
  | { readonly outcome: 'unknown' };

const unknown = { outcome: 'unknown' } as const;

/** Whether what the entry creates exists on the chain, no matter which transaction created it. */
const isThere = async (
  { chain }: DecideRestoredDependencies,
  { purpose }: Entry,
  at: BlockId,
): Promise<boolean> => {
  if (purpose.kind === 'deploy') return chain.hasCode(purpose.contract, at);
  if (!mintsTokens(purpose)) return false;
  const data = encodeOwnerOf(BigInt(mintedTokens(purpose)[0].tokenId));
  const owner = await chain.call({ to: purpose.contract, data }, at);
  return owner.outcome === 'returned' && decodeOwner(owner.data) !== undefined;
};

/** What became of an entry that was pending at the restored moment, as of the final block `at`. */
export const decideRestored = async (
  dependencies: DecideRestoredDependencies,
  { entry, at }: { readonly entry: Entry; readonly at: BlockId },
): Promise<RestoredOutcome> => {
  const { chain } = dependencies;
  try {
    if (entry.nonce >= (await chain.minedCountAt(addressOfSigner(entry.signer), at))) {
      return { outcome: 'open' };
    }
    const { decidable, absent } = await findFinalReceipts(dependencies, { entries: [entry], at });
    const [found] = decidable;
    const verdict = found === undefined ? undefined : await receiptVerdict(dependencies, { ...found, at });
    if (verdict?.status === 'confirmed') return { outcome: 'decided', verdict };
    if (verdict === undefined && absent.length === 0) return unknown;
    // Its work may have had a new nonce since, whose entry is lost.
    const maker = await findMaker(dependencies, { entry, since: firstSignedAt(entry), at });
    if (maker.outcome === 'found') {
      return { outcome: 'decided', verdict: { status: 'confirmed', hash: maker.transactionHash } };
    }
    if (maker.outcome === 'unknown') return unknown;
    // Of a claim that failed, the token is there if another claim minted it since.
    const mayBeThere = verdict !== undefined && entry.purpose.kind === 'claim';
    // What exists on the chain must not be made a second time, even if the search for its event went back too few blocks.
    if (!mayBeThere && (await isThere(dependencies, entry, at))) return unknown;
    return verdict === undefined ? { outcome: 'lost' } : { outcome: 'decided', verdict };
  } catch (error) {
    if (error instanceof ChainUnavailableError) return unknown;
    throw error;
  }
};
