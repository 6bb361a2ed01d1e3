import type { Page } from '../../platform/page.ts';
import type { CollectionKey, Nft, NftKey } from '../tokens/nft.ts';

export interface NftFilter {
  /**
   * An address selects the tokens that were minted to it, whoever owns them now. An application's identifier for a user
   * selects the tokens that are reserved for the user. @default all tokens
   */
  readonly destination?: string | undefined;
  readonly status?: Nft['status'] | undefined;
}

export interface Nfts {
  find(key: NftKey): Promise<Nft | undefined>;
  /** Newest first. If a filter is given, a page may have fewer than `limit` tokens without being the last. */
  list(
    page: CollectionKey & NftFilter & { readonly limit: number; readonly after?: string },
  ): Promise<Page<Nft>>;
  /** The existing tokens with ids from `from` to `to`, both included, lowest first. */
  findRange(range: CollectionKey & { readonly from: string; readonly to: string }): Promise<Nft[]>;
  /** Reserves the collection's next `count` token ids (1, 2, 3 …) and returns the lowest. No id is reserved twice. */
  reserveTokenIds(key: CollectionKey & { readonly count: number }): Promise<string>;
}
