import type { Address } from '../../chain/hex.ts';

/**
 * The contract or tokens that a request created or changed. Later requests with the same idempotency key return them.
 */
export type ResourceReference =
  | { readonly kind: 'contract'; readonly address: Address }
  /** The tokens with ids from `from` to `to`, both included. */
  | { readonly kind: 'nfts'; readonly address: Address; readonly from: string; readonly to: string };

/** An idempotency key is unique only within its application and operation. */
export interface KeyScope {
  readonly applicationId: string;
  readonly operation: string;
  readonly key: string;
}

/**
 * A request's temporary hold on an idempotency key. It lasts until the request ends, or until its lease expires.
 */
export interface Hold {
  readonly scope: KeyScope;
  readonly bodyHash: string;
  /** Random. Distinguishes this request's hold from all others. */
  readonly owner: string;
}

export type KeyState =
  | {
      readonly state: 'held';
      readonly bodyHash: string;
      readonly owner: string;
      readonly leaseUntil: number;
    }
  | { readonly state: 'done'; readonly bodyHash: string; readonly result: ResourceReference };

/**
 * The idempotency keys and the requests that hold them. Reads are strongly consistent. `TransactionLog.record`
 * completes a key in the same write that adds the log entry.
 */
export interface Holds {
  find(scope: KeyScope): Promise<KeyState | undefined>;
  /** Every operation for which the application used this key. */
  ofKey(
    key: Omit<KeyScope, 'operation'>,
  ): Promise<{ readonly operation: string; readonly state: KeyState }[]>;
  /**
   * Takes the key if it is free, or if its lease has expired at the time `at`. Returns `undefined` if this
   * request holds the key now, otherwise the key's current state.
   */
  take(taking: {
    readonly hold: Hold;
    readonly at: number;
    readonly leaseUntil: number;
  }): Promise<KeyState | undefined>;
  release(hold: Hold): Promise<void>;
  /**
   * Completes the key of a request that found nothing to do, unless another request holds or has completed it. The
   * key need not have been taken before. Returns `undefined` if the key has this result now, otherwise the key's
   * current state.
   */
  keep(keeping: {
    readonly hold: Hold;
    readonly result: ResourceReference;
    readonly at: number;
  }): Promise<KeyState | undefined>;
}
