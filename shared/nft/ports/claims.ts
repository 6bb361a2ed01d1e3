import type { Address } from '../hex.ts';

/** What a request created. Later requests with the same idempotency key return it. */
export type ResourceReference =
  | { readonly kind: 'contract'; readonly address: Address }
  /** Tokens with consecutive ids, both ends included. */
  | { readonly kind: 'nfts'; readonly address: Address; readonly from: string; readonly to: string };

/** An idempotency key is unique only within its application and operation. */
export interface ClaimScope {
  readonly application: string;
  readonly operation: string;
  readonly key: string;
}

/** A key that this request holds until the request ends or its lease expires. */
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

/** Idempotency keys. Reads are strongly consistent. The recording in the transaction log also completes the claim. */
export interface Claims {
  find(scope: ClaimScope): Promise<ClaimState | undefined>;
  /** Every operation for which the application used this key. */
  ofKey(
    key: Omit<ClaimScope, 'operation'>,
  ): Promise<{ readonly operation: string; readonly state: ClaimState }[]>;
  /** Claims a key that is free or whose lease has expired at `at`. Returns `undefined`, or else the key's state. */
  claim(claiming: {
    readonly claim: Claim;
    readonly at: number;
    readonly leaseUntil: number;
  }): Promise<ClaimState | undefined>;
  release(claim: Claim): Promise<void>;
}
