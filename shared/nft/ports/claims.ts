import type { Address } from '../hex.ts';

/** What a request made; its key answers with this from then on. */
export type ResourceReference =
  | { readonly kind: 'contract'; readonly address: Address }
  /** Tokens with consecutive ids, both ends included. */
  | { readonly kind: 'nfts'; readonly address: Address; readonly from: string; readonly to: string };

/** The scope of an idempotency key: the same key elsewhere is another key. */
export interface ClaimScope {
  readonly application: string;
  /** The operation it was sent for. */
  readonly operation: string;
  readonly key: string;
}

/** A key that this request holds until the request or its lease ends. */
export interface Claim {
  readonly scope: ClaimScope;
  readonly bodyHash: string;
  /** Random; tells this request's claim from any other. */
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

/** Idempotency keys. Reads are strongly consistent. A claim ends with the recording in the transaction log. */
export interface Claims {
  find(scope: ClaimScope): Promise<ClaimState | undefined>;
  /** Every operation for which one application sent a key. */
  ofKey(
    key: Omit<ClaimScope, 'operation'>,
  ): Promise<{ readonly operation: string; readonly state: ClaimState }[]>;
  /** Claims a key that is free or whose lease is over at `at`; `undefined` when claimed, else its holder. */
  claim(claiming: {
    readonly claim: Claim;
    readonly at: number;
    readonly leaseUntil: number;
  }): Promise<ClaimState | undefined>;
  /** Releases the key if this request still holds it. */
  release(claim: Claim): Promise<void>;
}
