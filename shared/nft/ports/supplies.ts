import type { CollectionKey } from '../collection/nft.ts';

/** Places of a limited supply, and the ids of the tokens that are to fill them. */
export interface Places extends CollectionKey {
  /** The ids are consecutive. */
  readonly firstTokenId: string;
  readonly count: number;
  /** Random; tells who took them. */
  readonly owner: string;
  /** When they were taken, milliseconds since the epoch. */
  readonly takenAt: number;
}

export interface Taking {
  /** `undefined` when so many are not left. */
  readonly places: Places | undefined;
  /** How many are left. */
  readonly left: number;
  /** Places that others took and neither kept nor gave back yet. */
  readonly unsettled: readonly Places[];
}

/**
 * How much of a collection's `maxSupply` is taken. Each write is conditional on what it changes and none is in a
 * transaction with others, so callers never conflict. A write whose answer was lost can be made again.
 */
export interface Supplies {
  /** Takes places, and reserves the ids of their tokens. */
  take(
    taking: Omit<Places, 'firstTokenId'> & {
      readonly maxSupply: number;
    },
  ): Promise<Taking>;
  /** The tokens are recorded: their places are taken for good. */
  keep(places: Places): Promise<void>;
  /** From now on no recording that names these places is written. */
  fence(places: Places): Promise<void>;
  /** The tokens are not recorded, and cannot be any more. */
  giveBack(places: Places): Promise<void>;
  /** The chain refused the tokens. Does nothing where the supply is not limited. */
  giveBackFailed(tokens: Pick<Places, keyof CollectionKey | 'firstTokenId' | 'count'>): Promise<void>;
}
