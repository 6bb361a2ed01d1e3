import type { CollectionKey } from '../collection/nft.ts';
import type { SignerId } from '../entry.ts';

/** An entry of the log that changes something that exists. */
export interface RecordedChange {
  readonly signer: SignerId;
  readonly nonce: number;
  /** When it was first signed, milliseconds since the epoch. */
  readonly signedAt: number;
}

export interface RecordedChanges {
  /** Newest first. */
  readonly changes: readonly RecordedChange[];
  /** Whether there may be more of them than were read. */
  readonly isMore: boolean;
}

/** The log, indexed by what its entries change; an entry of the last second may be missing. */
export interface Changes {
  /** Changes of the collection as a whole: its metadata, royalty or base address. */
  ofContract(key: CollectionKey): Promise<RecordedChanges>;
  /** Changes of a token's metadata, alone or with others. */
  ofToken(key: CollectionKey & { readonly tokenId: string }): Promise<RecordedChanges>;
  /** Whether the index has the collection's deployment, and so every later change; older entries were never indexed. */
  isWhole(key: CollectionKey): Promise<boolean>;
}
