import type { Address } from '../../chain/hex.ts';
import type { Page } from '../../platform/page.ts';
import type { Nft, NftKey } from '../tokens/nft.ts';

export interface HeldTokens {
  /**
   * The tokens that have this holder (see `reservationHolder`), newest first. Each token is read consistently, but a
   * token that got this holder a moment ago may be missing.
   */
  heldBy(question: { readonly holder: string }): AsyncIterable<Nft>;
  /** A token as it is now, read consistently. */
  find(token: NftKey): Promise<Nft | undefined>;
}

export interface UserTokens {
  /**
   * The tokens of an application's contracts that are reserved for a user or that the user has claimed, highest ids first.
   * A token that was reserved a moment ago may be missing. A page may have fewer than `limit` tokens without being the
   * last.
   */
  list(page: {
    readonly applicationId: string;
    /** The user's stand-in. */
    readonly reservedFor: Address;
    readonly limit: number;
    readonly after?: string;
  }): Promise<Page<Nft>>;
}
