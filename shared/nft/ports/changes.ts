import type { CollectionKey } from '../collection/nft.ts';
import type { SignerId } from '../entry.ts';

/** A log entry that changes an existing contract or token. */
export interface RecordedChange {
  readonly signer: SignerId;
  readonly nonce: number;
  /** When the entry was first signed, in milliseconds since the epoch. */
  readonly signedAt: number;
}

export interface RecordedChanges {
  readonly changes: readonly RecordedChange[];
  /** Whether there may be more changes than these. */
  readonly isMore: boolean;
}

/** An index of the log by what its entries change. An entry of the last second may be missing. */
export interface Changes {
  /** Changes of the collection as a whole: its metadata, royalty or base address. */
  ofContract(key: CollectionKey): Promise<RecordedChanges>;
  /** Changes of a token's metadata, alone or together with other tokens. */
  ofToken(key: CollectionKey & { readonly tokenId: string }): Promise<RecordedChanges>;
  /**
   * Whether the index has the collection's deployment, and therefore every later change. Entries older than the index
   * are not in it.
   */
  isWhole(key: CollectionKey): Promise<boolean>;
}
