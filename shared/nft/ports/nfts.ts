import type { Page } from '../../page.ts';
import type { CollectionKey, Nft } from '../collection/nft.ts';
import type { Address } from '../hex.ts';

/** Which tokens of a collection are listed. */
export interface NftFilter {
  /** To whom they were minted. @default anybody */
  readonly destination?: Address | undefined;
  /** @default any */
  readonly status?: Nft['status'] | undefined;
}

/** Reads are strongly consistent. */
export interface Nfts {
  find(key: CollectionKey & { readonly tokenId: string }): Promise<Nft | undefined>;
  /** Newest first. A page of those that match may have fewer than `limit`, and yet not be the last. */
  list(
    page: CollectionKey & NftFilter & { readonly limit: number; readonly after?: string },
  ): Promise<Page<Nft>>;
  /** The existing tokens with ids from `from` to `to`, both included; lowest first. */
  findRange(range: CollectionKey & { readonly from: string; readonly to: string }): Promise<Nft[]>;
  /** Reserves the collection's next token ids: 1, 2, 3 …, never the same twice. Returns the lowest of `count`. */
  reserveTokenIds(key: CollectionKey & { readonly count: number }): Promise<string>;
}
