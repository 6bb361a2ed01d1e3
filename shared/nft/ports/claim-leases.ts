import type { Address } from '../../chain/hex.ts';

/**
 * One request's exclusive right to claim the tokens that a holder has in a contract. It ends by itself after a time.
 */
export interface ClaimLease {
  readonly applicationId: string;
  readonly contract: Address;
  /** The `reservationHolder` of the tokens. */
  readonly holder: string;
  /** Random. Distinguishes this request's lease from all others. */
  readonly owner: string;
}

/**
 * A holder has at most one lease in a contract. `TransactionLog.record` ends it in the write that adds the log entry.
 */
export interface ClaimLeases {
  /** Takes the lease if it is free, or if it has expired at the time `at`. Returns whether this request has it now. */
  take(taking: {
    readonly lease: ClaimLease;
    readonly at: number;
    readonly leaseUntil: number;
  }): Promise<boolean>;
  release(lease: ClaimLease): Promise<void>;
}
