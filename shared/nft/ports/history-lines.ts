import type { Address } from '../../chain/hex.ts';
import type { Line } from '../history/line.ts';
import type { Nft } from '../tokens/nft.ts';

/** The newest lines of a token, oldest first. */
export interface TokenLines {
  readonly lines: readonly Line[];
  /** Whether there are older ones. */
  readonly isMore: boolean;
}

/** The lines of the histories of tokens. Whatever changes a token writes its line itself, in the same write. */
export interface HistoryLines {
  /** Reads strongly consistently. */
  ofToken(token: Pick<Nft, 'contract' | 'tokenId'> & { readonly limit: number }): Promise<TokenLines>;
  /**
   * Tokens that were given from a user to another, whoever has them now, highest ids first, with the time of each gift. A
   * token may be there several times, and one that was given away a moment ago may be missing.
   */
  givenBy(question: {
    /** The user's stand-in. */
    readonly giver: Address;
    readonly limit: number;
  }): Promise<readonly (Pick<Nft, 'contract' | 'tokenId'> & Pick<Line, 'at'>)[]>;
}
