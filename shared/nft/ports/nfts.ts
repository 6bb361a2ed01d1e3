import type { Page } from '../../page.ts';
import type { Nft } from '../collection/nft.ts';
import type { Address } from './chain.ts';

export interface CollectionKey {
  readonly application: string;
  readonly contract: Address;
}

/** Reads are strongly consistent. */
export interface Nfts {
  find(key: CollectionKey & { readonly tokenId: string }): Promise<Nft | undefined>;
  /** Newest first. */
  list(page: CollectionKey & { readonly limit: number; readonly after?: string }): Promise<Page<Nft>>;
  /** Hands out the collection's next token id: 1, 2, 3 …, none ever twice. */
  reserveTokenId(key: CollectionKey): Promise<string>;
}
