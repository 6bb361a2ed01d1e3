import type { CollectionKey } from '../tokens/nft.ts';

/**
 * Places in a collection's limited supply that a request has reserved, and the ids of the tokens that will use these
 * places.
 */
export interface Places extends CollectionKey {
  /** The lowest of `count` consecutive ids. */
  readonly firstTokenId: string;
  readonly count: number;
  /** Random. Identifies the request that reserved the places. */
  readonly owner: string;
  /** When the places were reserved, in milliseconds since the epoch. */
  readonly takenAt: number;
}

type MintedPlaces = Pick<Places, keyof CollectionKey | 'firstTokenId' | 'count'>;

export interface Taking {
  /** `undefined` if not enough places are left. */
  readonly places: Places | undefined;
  /** How many places are left. */
  readonly left: number;
  /** Places in the same supply that other requests have reserved, and have neither confirmed nor released yet. */
  readonly marked: readonly Places[];
}

/**
 * Counts how many places of a collection's `maxSupply` are reserved or used. Each write changes only one DynamoDB item,
 * so concurrent callers do not conflict. Each write may run twice, or late: the places of the second run are freed by a
 * later mint.
 */
export interface Supplies {
  /** Reserves places and the ids of the tokens that will use them. */
  take(
    taking: Omit<Places, 'firstTokenId'> & {
      readonly maxSupply: number;
    },
  ): Promise<Taking>;
  /** Confirms the reservation: from now on the places are used permanently. Called after their tokens were recorded. */
  keep(places: Places): Promise<void>;
  /** Blocks the places: from now on, the transaction log refuses to record tokens that would use these places. */
  fence(places: Places): Promise<void>;
  /** Releases the places. Call this only if their tokens are not recorded and can no longer be recorded. */
  giveBack(places: Places): Promise<void>;
  /** Releases the places of tokens whose mint failed on the chain. Does nothing if the supply is not limited. */
  giveBackFailed(tokens: MintedPlaces): Promise<void>;
  /** Takes places again that `giveBackFailed` has released, because their tokens will be minted after all. */
  takeReturned(tokens: MintedPlaces): Promise<void>;
}
