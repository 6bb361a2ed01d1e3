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

/** A token that is a user's, or was. */
export interface EverOwnToken {
  readonly key: NftKey;
  /** As it is now, whoever has it. `undefined` if it is not stored. */
  readonly nft: Nft | undefined;
  /** Whether it still is the user's. */
  readonly isOwn: boolean;
  /** The token's position in the list, from which a page may continue. */
  readonly place: string;
}

interface UserTokensPage {
  readonly applicationId: string;
  /** The user's stand-in. */
  readonly reservedFor: Address;
  readonly limit: number;
  readonly after?: string | undefined;
}

export interface UserTokens {
  /**
   * The tokens of an application's contracts that are reserved for a user or that the user has claimed, highest ids
   * first. A token that was reserved a moment ago may be missing. A page may have fewer than `limit` tokens without
   * being the last.
   */
  list(page: UserTokensPage): Promise<Page<Nft>>;
}

export interface EverOwnTokens {
  /**
   * As `UserTokens.list`, with the tokens that the user has given away. A token that was reserved or given away a moment
   * ago may be missing.
   */
  list(page: UserTokensPage): Promise<Page<EverOwnToken>>;
}
