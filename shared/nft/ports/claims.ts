import type { Address } from '../hex.ts';

/**
 * The contract or tokens that a request created or changed. Later requests with the same idempotency key return them.
 */
export type ResourceReference =
  | { readonly kind: 'contract'; readonly address: Address }
  /** The tokens with ids from `from` to `to`, both included. */
  | { readonly kind: 'nfts'; readonly address: Address; readonly from: string; readonly to: string };

/** An idempotency key is unique only within its application and operation. */
export interface ClaimScope {
  readonly application: string;
  readonly operation: string;
  readonly key: string;
}

/** An idempotency key that a request holds until the request ends or the lease expires. */
export interface Claim {
  readonly scope: ClaimScope;
  readonly bodyHash: string;
  /** Random. Distinguishes this request's claim from all others. */
  readonly owner: string;
}

export type ClaimState =
  | {
      readonly state: 'claimed';
      readonly bodyHash: string;
      readonly owner: string;
      readonly leaseUntil: number;
    }
  | { readonly state: 'done'; readonly bodyHash: string; readonly result: ResourceReference };

/**
 * The idempotency keys and who holds them. Reads are strongly consistent. A claim is completed by
 * `TransactionLog.record`, in the same write as the log entry.
 */
export interface Claims {
  find(scope: ClaimScope): Promise<ClaimState | undefined>;
  /** Every operation for which the application used this key. */
  ofKey(
    key: Omit<ClaimScope, 'operation'>,
  ): Promise<{ readonly operation: string; readonly state: ClaimState }[]>;
  /**
   * Claims a key that is free or whose lease has expired at `at`. Returns `undefined` if the request now holds the key,
   * or else the key's state.
   */
  claim(claiming: {
    readonly claim: Claim;
    readonly at: number;
    readonly leaseUntil: number;
  }): Promise<ClaimState | undefined>;
  release(claim: Claim): Promise<void>;
}
