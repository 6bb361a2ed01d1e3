import type { Address } from '../hex.ts';

/** What a request made, under which its key answers from then on. */
export type ResourceReference =
  | { readonly kind: 'contract'; readonly address: Address }
  /** Tokens with consecutive ids, both ends included. */
  | { readonly kind: 'nfts'; readonly address: Address; readonly from: string; readonly to: string };

/** What an idempotency key belongs to: the same key elsewhere is another. */
export interface ClaimScope {
  readonly application: string;
  /** What it was sent for. */
  readonly operation: string;
  readonly key: string;
}

/** A key that this request holds until it ends or its lease does. */
export interface Claim {
  readonly scope: ClaimScope;
  readonly bodyHash: string;
  /** Random; tells this request's claim from any other's. */
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
  /** Every operation that a key was sent for, by one application. */
  ofKey(
    key: Omit<ClaimScope, 'operation'>,
  ): Promise<{ readonly operation: string; readonly state: ClaimState }[]>;
  /** Claims a key that nobody uses or whose lease is over at `at`; `undefined` when claimed, else who has it. */
  claim(claiming: {
    readonly claim: Claim;
    readonly at: number;
    readonly leaseUntil: number;
  }): Promise<ClaimState | undefined>;
  /** Lets the key go if this request still holds it. */
  release(claim: Claim): Promise<void>;
}
