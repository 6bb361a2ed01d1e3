import type { Page } from '../../page.ts';
import type { CollectionKey, Nft } from '../collection/nft.ts';

/** Reads are strongly consistent. */
export interface Nfts {
  find(key: CollectionKey & { readonly tokenId: string }): Promise<Nft | undefined>;
  /** Newest first. */
  list(page: CollectionKey & { readonly limit: number; readonly after?: string }): Promise<Page<Nft>>;
  /** The existing tokens with ids from `from` to `to`, both included; lowest first. */
  findRange(range: CollectionKey & { readonly from: string; readonly to: string }): Promise<Nft[]>;
  /** Reserves the collection's next token ids: 1, 2, 3 …, never the same twice. Returns the lowest of `count`. */
  reserveTokenIds(key: CollectionKey & { readonly count: number }): Promise<string>;
}
