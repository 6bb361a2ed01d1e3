import type { CollectionKey } from '../collection/nft.ts';
import type { SignerId } from '../entry.ts';

/** An entry of the log that changes what is there. */
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

/** The log by what its entries change; what was recorded this very second may be missing. */
export interface Changes {
  /** Of the collection as a whole: what is shown of it, its royalty, its base address. */
  ofContract(key: CollectionKey): Promise<RecordedChanges>;
  /** Of a token's metadata, alone or with others. */
  ofToken(key: CollectionKey & { readonly tokenId: string }): Promise<RecordedChanges>;
  /** Whether the collection's deployment is in it, and so every later change; older entries never got there. */
  isWhole(key: CollectionKey): Promise<boolean>;
}
