import type { CollectionKey } from '../collection/nft.ts';

/** Places that a request took of a limited supply, and the ids of the tokens that will fill them. */
export interface Places extends CollectionKey {
  /** The lowest of `count` consecutive ids. */
  readonly firstTokenId: string;
  readonly count: number;
  /** Random. Identifies the request that took the places. */
  readonly owner: string;
  /** When the places were taken, in milliseconds since the epoch. */
  readonly takenAt: number;
}

export interface Taking {
  /** `undefined` if not enough places are left. */
  readonly places: Places | undefined;
  /** How many places are left. */
  readonly left: number;
  /** Places that other requests took and have not yet kept or given back. */
  readonly unsettled: readonly Places[];
}

/**
 * Counts how much of a collection's `maxSupply` is taken. Each write changes only one item, so that callers never
 * conflict. If the response of a write was lost, the write can be repeated.
 */
export interface Supplies {
  /** Takes places and reserves the ids of their tokens. */
  take(
    taking: Omit<Places, 'firstTokenId'> & {
      readonly maxSupply: number;
    },
  ): Promise<Taking>;
  /** From now on the places are taken permanently. Called after their tokens were recorded. */
  keep(places: Places): Promise<void>;
  /** Blocks the places: a recording of tokens with these places is refused from now on. */
  fence(places: Places): Promise<void>;
  /** Frees the places. Call this only if their tokens are not recorded and can no longer be recorded. */
  giveBack(places: Places): Promise<void>;
  /** Frees the places of tokens whose mint failed on the chain. Does nothing if the supply is not limited. */
  giveBackFailed(tokens: Pick<Places, keyof CollectionKey | 'firstTokenId' | 'count'>): Promise<void>;
}
