import type { CollectionKey, NftKey } from '../tokens/nft.ts';
import type { SignerId } from '../transactions/entry.ts';

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

/**
 * An index of the transaction log. It finds the entries that change a contract or token. The index may lack entries
 * from the last second.
 */
export interface Changes {
  /** Changes to the collection as a whole: to its metadata, its royalty or the base URL of its tokens' metadata. */
  ofContract(key: CollectionKey): Promise<RecordedChanges>;
  /** Changes to a token: new metadata (for this token alone or for several tokens), claims and revocations. */
  ofToken(key: NftKey): Promise<RecordedChanges>;
}
