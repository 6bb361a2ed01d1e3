import type { CollectionKey } from '../collection/nft.ts';
import type { SignerId } from '../entry.ts';

export interface RecordedChange {
  readonly signer: SignerId;
  readonly nonce: number;
  /** When the entry was first signed, in milliseconds since the epoch. */
  readonly signedAt: number;
}

export interface RecordedChanges {
  readonly changes: readonly RecordedChange[];
  readonly isMore: boolean;
}

/** An index of the log by what its entries change. An entry of the last second may be missing. */
export interface Changes {
  /** Changes of the collection as a whole: its metadata, royalty or base address. */
  ofContract(key: CollectionKey): Promise<RecordedChanges>;
  /** Changes of a token's metadata, alone or together with other tokens. */
  ofToken(key: CollectionKey & { readonly tokenId: string }): Promise<RecordedChanges>;
  /** Whether the index has the collection's deployment and so every later change. Older entries are not indexed. */
  isWhole(key: CollectionKey): Promise<boolean>;
}
