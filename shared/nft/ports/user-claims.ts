import type { Address } from '../../chain/hex.ts';

/** What is stored of the reserved tokens that users have claimed. */
export interface UserClaims {
  /**
   * Removes a user from the tokens that the user has claimed: nothing says any more that the wallets to which they were
   * minted were this user's. May be repeated. A token that is reserved for the user stays so.
   */
  forget(user: {
    readonly applicationId: string;
    /** The user's stand-in. */
    readonly reservedFor: Address;
  }): Promise<void>;
}
