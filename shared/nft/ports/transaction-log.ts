import type { Attempt, Entry, Resource, SignerId } from '../entry.ts';
import type { Hash } from '../hex.ts';
import type { Claim, ResourceReference } from './claims.ts';
import type { Places } from './supplies.ts';

export interface Recording {
  readonly entry: Entry;
  readonly resource?: Resource;
  readonly claim?: Claim;
  /** Set only for a mint into a collection with a limited supply: the places that these tokens take. */
  readonly places?: Places;
}

/** If several outcomes apply, the most important one. Only `recorded` means that anything was written. */
export type RecordOutcome =
  | { readonly outcome: 'recorded' }
  /** Another request with the same idempotency key has already been recorded, with this result. */
  | { readonly outcome: 'key-done'; readonly result: ResourceReference }
  /** Another request holds the claim. */
  | { readonly outcome: 'key-lost' }
  /** A conflicting write or throttling by the table. The same recording may be retried. */
  | { readonly outcome: 'busy'; readonly reason: string }
  | { readonly outcome: 'nonce-used' }
  /** The places are fenced: another request gave them back. */
  | { readonly outcome: 'places-lost' }
  /** Another entry with a higher nonce has already changed the same thing. */
  | { readonly outcome: 'outdated' };

export interface Finalization {
  readonly entry: Entry;
  readonly verdict:
    | { readonly status: 'confirmed'; readonly hash: Hash }
    | { readonly status: 'failed'; readonly hash: Hash; readonly reason: string };
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The log of signed transactions. Reads are strongly consistent. `false` means that the entry has changed since it was
 * read. Any other failure throws, and then the outcome is unknown.
 */
export interface TransactionLog {
  find(key: { readonly signer: SignerId; readonly nonce: number }): Promise<Entry | undefined>;
  /** The entries with nonces from `from` to `to`, lowest first; `to` is not included. */
  range(range: { readonly signer: SignerId; readonly from: number; readonly to: number }): Promise<Entry[]>;
  /** The same recording may be written again within ten minutes without harm. */
  record(recording: Recording): Promise<RecordOutcome>;
  /** Succeeds only if the number of attempts has not changed since the entry was read. */
  appendAttempt(append: { readonly entry: Entry; readonly attempt: Attempt }): Promise<boolean>;
  /** Notes that the entry was broadcast while its nonce was the lowest unmined one. */
  noteTried(note: { readonly entry: Entry; readonly at: number }): Promise<boolean>;
  noteMissing(note: { readonly entry: Entry }): Promise<boolean>;
  /** Decides each pending entry together with its pending resource. Returns the entries that were decided. */
  finalize(finalizations: readonly Finalization[]): Promise<Entry[]>;
  /**
   * Records `successor` and transfers to it what the pending `entry` makes, all or nothing. If another entry has
   * changed the same thing since, `entry` just ends and the result is `false` as well.
   */
  supersede(change: { readonly entry: Entry; readonly successor: Entry }): Promise<boolean>;
  drop(entry: Entry): Promise<boolean>;
}
