import type { Address } from '../../chain/hex.ts';

/** What is stored of the reserved tokens that users have claimed. */
export interface UserClaims {
  /**
   * Removes a user from the tokens that the user has claimed, also if the claim has failed, and from their history.
   * Nothing says any more that the wallets of these claims were this user's. May be repeated. Any other token that is
   * reserved for the user stays so.
   */
  forget(user: {
    readonly applicationId: string;
    /** The user's stand-in. */
    readonly reservedFor: Address;
  }): Promise<void>;
}
