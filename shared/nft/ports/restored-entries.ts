import type { Address } from '../../chain/hex.ts';
import type { NftKey } from '../tokens/nft.ts';
import type { Entry } from '../transactions/entry.ts';
import type { Finalization } from './transaction-log.ts';

/** What `restore` reads and writes of restored entries, and of what they create or change. */
export interface RestoredEntries {
  /**
   * Makes a superseded entry, whose successor is lost, pending again. Returns `false` if it has changed since it was
   * read.
   */
  reopen(entry: Entry): Promise<boolean>;
  /**
   * The outcome of the entry, if it is stored in its contract, in one of its tokens or in its change. `undefined` if it
   * is in none of them.
   */
  outcomeOf(entry: Entry): Promise<Finalization['verdict'] | undefined>;
  /**
   * Stores the outcome in the entry's contract, tokens or change, if these are still pending with the entry's nonce.
   */
  finalizeResources(finalization: Finalization): Promise<void>;
  /**
   * Makes the entry responsible again for those of its contract or tokens that are pending with another nonce for which
   * `isGone` returns `true`. Returns whether there were any.
   */
  takeBackResources(entry: Entry, isGone: (nonce: number) => Promise<boolean>): Promise<boolean>;
  /** Stores who owns a token on the chain, if the token is still reserved. Returns whether it was. */
  confirmReserved(token: NftKey, owner: Address): Promise<boolean>;
  /** Whether one of the entry's contract, tokens or changes is still pending with the entry's nonce. */
  isAwaited(entry: Entry): Promise<boolean>;
  /** Makes the successor responsible for all resources that are still pending under the entry's nonce. */
  handOverResources(entry: Entry, successor: Entry): Promise<void>;
}
