import type { Attempt, Entry, Resource, SignerId } from '../entry.ts';
import type { Hash } from '../hex.ts';
import type { Claim, ResourceReference } from './claims.ts';

/** What is written with one transaction before anything is broadcast. */
export interface Recording {
  readonly entry: Entry;
  readonly resource?: Resource;
  readonly claim?: Claim;
}

/** Why a recording was refused, the weightiest reason first; nothing was written unless it says `recorded`. */
export type RecordOutcome =
  | { readonly outcome: 'recorded' }
  /** The claim was ended with this result before. */
  | { readonly outcome: 'key-done'; readonly result: ResourceReference }
  /** Another request holds the claim. */
  | { readonly outcome: 'key-lost' }
  /** Another write was in the way, or the table asks for patience; the same recording may be made again. */
  | { readonly outcome: 'busy'; readonly reason: string }
  | { readonly outcome: 'nonce-used' }
  /** What it changes was changed by another entry that comes after it on the chain. */
  | { readonly outcome: 'outdated' };

/** What finality decided of an entry and what it makes. */
export interface Finalization {
  readonly entry: Entry;
  readonly verdict:
    | { readonly status: 'confirmed'; readonly hash: Hash }
    | { readonly status: 'failed'; readonly hash: Hash; readonly reason: string };
  /** When, milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The log of what was signed. Reads are strongly consistent. An answer `false` says that the entry changed
 * since it was read; anything else that goes wrong throws, and then the outcome is unknown.
 */
export interface TransactionLog {
  find(key: { readonly signer: SignerId; readonly nonce: number }): Promise<Entry | undefined>;
  /** Entries of the nonces from `from` up to but without `to`, lowest first. */
  range(range: { readonly signer: SignerId; readonly from: number; readonly to: number }): Promise<Entry[]>;
  /** Making the same recording twice within ten minutes does no harm. */
  record(recording: Recording): Promise<RecordOutcome>;
  /** On the condition that the number of attempts is the one read. */
  appendAttempt(append: { readonly entry: Entry; readonly attempt: Attempt }): Promise<boolean>;
  /** That it was tried as the head of the queue. */
  noteTried(note: { readonly entry: Entry; readonly at: number }): Promise<boolean>;
  /** That no endpoint knows a receipt: of the attempts that were read, so this and what follows is theirs. */
  noteMissing(note: { readonly entry: Entry }): Promise<boolean>;
  /**
   * Flips each entry and its resource together, where both are pending; answers the entries that were flipped.
   */
  finalize(finalizations: readonly Finalization[]): Promise<Entry[]>;
  /**
   * Records `successor` and hands it what the pending `entry` makes, all or nothing. What the entry changed may have
   * been changed again since: then the entry ends, and `false` is the answer as well.
   */
  supersede(change: { readonly entry: Entry; readonly successor: Entry }): Promise<boolean>;
  /** Ends a pending entry that makes nothing. */
  drop(entry: Entry): Promise<boolean>;
}
