import type { Entry } from '../entry.ts';
import type { Finalization } from './transaction-log.ts';

/** Writes restored entries into the transaction log. The log's stream causes no notifications about these writes. */
export interface RestoredEntries {
  /**
   * Stores the entry where the log has none, or one that was given up: a noop that filled its nonce, or the entry itself
   * without a successor. Returns whether it is stored.
   */
  put(entry: Entry): Promise<boolean>;
  /** The outcome of the entry that its contract, a token or the change has. `undefined` if none has one. */
  outcomeOf(entry: Entry): Promise<Finalization['verdict'] | undefined>;
  /** Stores the outcome in the contract, tokens or change of the entry that are still pending with its nonce. */
  finalizeResources(finalization: Finalization): Promise<void>;
  /**
   * Makes the entry responsible again for its contract or tokens, where they are pending with another nonce that is
   * `isGone`.
   */
  takeBackResources(entry: Entry, isGone: (nonce: number) => Promise<boolean>): Promise<void>;
  /** Makes the successor responsible for all resources that are still pending under the entry's nonce. */
  handOverResources(entry: Entry, successor: Entry): Promise<void>;
}
