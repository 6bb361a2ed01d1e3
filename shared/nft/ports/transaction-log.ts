import type { Address, Hash } from '../../chain/hex.ts';
import type { Burn } from '../tokens/gone.ts';
import type { Nft } from '../tokens/nft.ts';
import type { Attempt, Entry, LoggedEntry, Resource, SignerId } from '../transactions/entry.ts';
import type { ClaimLease } from './claim-leases.ts';
import type { Hold, ResourceReference } from './holds.ts';
import type { Places } from './supplies.ts';

export interface Recording {
  readonly entry: Entry;
  readonly resource?: Resource;
  readonly hold?: Hold;
  /** Ends with the recording. Set only for the claim of a reserved token. */
  readonly lease?: ClaimLease;
  /**
   * The places in the supply that the minted tokens use. Set only for a mint into a collection with a limited supply.
   */
  readonly places?: Places;
}

/**
 * The outcome of writing a recording. If several outcomes apply, only the most important one is returned. Nothing was
 * written unless the outcome is `recorded`.
 */
export type RecordOutcome =
  | { readonly outcome: 'recorded' }
  /** Another request with the same idempotency key has already been recorded, with this result. */
  | { readonly outcome: 'key-done'; readonly result: ResourceReference }
  /** The token that was to be burnt has a live burn of another request. */
  | { readonly outcome: 'already-gone'; readonly result: ResourceReference }
  /** Another request now holds the idempotency key. */
  | { readonly outcome: 'key-lost' }
  /** The write conflicted with another one, or the table was throttled. The caller can retry the same recording. */
  | { readonly outcome: 'busy'; readonly reason: string }
  | { readonly outcome: 'nonce-used' }
  /** The lease of a claim has expired, and another request may hold it. */
  | { readonly outcome: 'lease-lost' }
  /** The token to claim is not reserved any more or has changed, or the token to revoke has become reserved again. */
  | { readonly outcome: 'token-changed'; readonly address: Address; readonly tokenId: string }
  /** The user for whom the token to claim is reserved has been removed. */
  | { readonly outcome: 'registration-ended' }
  /** Another request has blocked the mint's places with `Supplies.fence`, because this request was too slow. */
  | { readonly outcome: 'places-lost' }
  /**
   * An entry with a higher nonce has already changed the same part of the contract, or mints the token that is to be
   * revoked.
   */
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
 * The log of signed transactions. Reads are strongly consistent. A write returns `false` if the entry has changed since
 * it was read. If a write throws, its outcome is unknown.
 */
export interface TransactionLog {
  find(key: { readonly signer: SignerId; readonly nonce: number }): Promise<LoggedEntry | undefined>;
  /** The entries with nonces from `from` to `to`, lowest first; `to` is not included. */
  range(range: {
    readonly signer: SignerId;
    readonly from: number;
    readonly to: number;
  }): Promise<LoggedEntry[]>;
  /** Writing the same recording again within ten minutes has no further effect. */
  record(recording: Recording): Promise<RecordOutcome>;
  /** Succeeds only if the number of attempts has not changed since the entry was read. */
  appendAttempt(append: { readonly entry: LoggedEntry; readonly attempt: Attempt }): Promise<boolean>;
  /** Notes that the entry was broadcast while its nonce was the lowest unmined one. */
  noteTried(note: { readonly entry: LoggedEntry; readonly at: number }): Promise<boolean>;
  noteMissing(note: { readonly entry: Entry }): Promise<boolean>;
  /**
   * For each entry that is still pending, stores the final outcome in the entry and in the contract, tokens or change
   * that the entry creates. Returns the entries that were changed.
   */
  finalize(finalizations: readonly Finalization[]): Promise<Entry[]>;
  /**
   * In one write, marks the pending `entry` as superseded, records `successor`, and makes `successor` responsible for
   * what `entry` was to do: create a contract, mint tokens or make a change. If newer entries have replaced everything
   * that `entry` changes, only marks `entry` as superseded, records no successor and returns `false`. Changes nothing
   * and returns `false` if a token that `entry` mints is gone.
   */
  supersede(change: { readonly entry: Entry; readonly successor: Entry }): Promise<boolean>;
  drop(entry: Entry): Promise<boolean>;
  /** Marks the pending burn of a token as failed, because nothing decides it: tables have lost its entry. */
  failLostBurn(token: Nft, burn: Burn): Promise<void>;
}
