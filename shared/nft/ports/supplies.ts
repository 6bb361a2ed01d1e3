import type { CollectionKey } from '../collection/nft.ts';

/** Places of a limited supply, with the ids of their tokens. */
export interface Places extends CollectionKey {
  /** The first of `count` consecutive ids. */
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
  /** Places that other requests took and have neither kept nor given back. */
  readonly unsettled: readonly Places[];
}

/**
 * How much of a collection's `maxSupply` is taken. Each write is conditional and changes only one item, so callers
 * never conflict. A write whose response was lost can be repeated.
 */
export interface Supplies {
  /** Takes places and reserves the ids of their tokens. */
  take(
    taking: Omit<Places, 'firstTokenId'> & {
      readonly maxSupply: number;
    },
  ): Promise<Taking>;
  /** Makes the places taken for good, after their tokens were recorded. */
  keep(places: Places): Promise<void>;
  /** After this, no recording that names these places can be written. */
  fence(places: Places): Promise<void>;
  /** Frees the places. Their tokens must not be recorded, and no recording may be possible any longer. */
  giveBack(places: Places): Promise<void>;
  /** Frees the places of tokens whose mint failed on the chain. Does nothing if the supply is not limited. */
  giveBackFailed(tokens: Pick<Places, keyof CollectionKey | 'firstTokenId' | 'count'>): Promise<void>;
}
