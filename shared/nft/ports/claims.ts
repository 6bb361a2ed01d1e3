import type { Address } from '../../chain/hex.ts';

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

/**
 * A request's temporary hold on an idempotency key. It lasts until the request ends, or until the claim's lease
 * expires.
 */
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
 * The idempotency keys and the requests that hold them. Reads are strongly consistent. `TransactionLog.record`
 * completes a claim in the same write that adds the log entry.
 */
export interface Claims {
  find(scope: ClaimScope): Promise<ClaimState | undefined>;
  /** Every operation for which the application used this key. */
  ofKey(
    key: Omit<ClaimScope, 'operation'>,
  ): Promise<{ readonly operation: string; readonly state: ClaimState }[]>;
  /**
   * Claims the key if it is free, or if its lease has expired at the time `at`. Returns `undefined` if the claim
   * succeeded, otherwise the key's current state.
   */
  claim(claiming: {
    readonly claim: Claim;
    readonly at: number;
    readonly leaseUntil: number;
  }): Promise<ClaimState | undefined>;
  release(claim: Claim): Promise<void>;
  /**
   * Completes the key of a request that found nothing to do, unless another request holds or has completed it. The
   * claim need not have been taken before. Returns `undefined` if the key has this result now, otherwise the key's
   * current state.
   */
  keep(keeping: {
    readonly claim: Claim;
    readonly result: ResourceReference;
    readonly at: number;
  }): Promise<ClaimState | undefined>;
}
