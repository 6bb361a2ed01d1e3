import type { Attempt, Entry, Resource, SignerId } from '../entry.ts';
import type { Hash } from '../hex.ts';
import type { Claim, ResourceReference } from './claims.ts';
import type { Places } from './supplies.ts';

/** What is recorded with one transaction before anything is broadcast. */
export interface Recording {
  readonly entry: Entry;
  readonly resource?: Resource;
  readonly claim?: Claim;
  /** Of a limited supply, which its tokens fill. */
  readonly places?: Places;
}

/** The outcome of a recording, the weightiest reason first; only `recorded` means that anything was written. */
export type RecordOutcome =
  | { readonly outcome: 'recorded' }
  /** The claim has ended with this result before. */
  | { readonly outcome: 'key-done'; readonly result: ResourceReference }
  /** Another request holds the claim. */
  | { readonly outcome: 'key-lost' }
  /** Another write was in the way, or the table was throttled; the same recording may be tried again. */
  | { readonly outcome: 'busy'; readonly reason: string }
  | { readonly outcome: 'nonce-used' }
  /** The recording's places are fenced off: another request gave them back. */
  | { readonly outcome: 'places-lost' }
  /** Another entry, which comes later on the chain, has already changed the same thing. */
  | { readonly outcome: 'outdated' };

/** The decision about an entry at finality, and what it makes. */
export interface Finalization {
  readonly entry: Entry;
  readonly verdict:
    | { readonly status: 'confirmed'; readonly hash: Hash }
    | { readonly status: 'failed'; readonly hash: Hash; readonly reason: string };
  /** When, milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The log of signed transactions. Reads are strongly consistent. The answer `false` means that the entry changed since
 * it was read; any other failure throws, and then the outcome is unknown.
 */
export interface TransactionLog {
  find(key: { readonly signer: SignerId; readonly nonce: number }): Promise<Entry | undefined>;
  /** Entries of the nonces from `from` to below `to`, lowest first. */
  range(range: { readonly signer: SignerId; readonly from: number; readonly to: number }): Promise<Entry[]>;
  /** The same recording may be written twice within ten minutes without harm. */
  record(recording: Recording): Promise<RecordOutcome>;
  /** Only if the number of attempts is still the one that was read. */
  appendAttempt(append: { readonly entry: Entry; readonly attempt: Attempt }): Promise<boolean>;
  /** Notes that it was broadcast as the head of the queue. */
  noteTried(note: { readonly entry: Entry; readonly at: number }): Promise<boolean>;
  /** Notes that no endpoint knows a receipt of any attempt that was read. */
  noteMissing(note: { readonly entry: Entry }): Promise<boolean>;
  /** Flips each pending entry together with its pending resource; returns the entries that were flipped. */
  finalize(finalizations: readonly Finalization[]): Promise<Entry[]>;
  /**
   * Records `successor` and transfers to it what the pending `entry` makes, all or nothing. If what the entry changed
   * was changed again since, the entry just ends, and the answer is `false` as well.
   */
  supersede(change: { readonly entry: Entry; readonly successor: Entry }): Promise<boolean>;
  /** Ends a pending entry that makes nothing. */
  drop(entry: Entry): Promise<boolean>;
}
