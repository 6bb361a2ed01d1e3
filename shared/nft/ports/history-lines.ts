import type { Address } from '../../chain/hex.ts';
import type { Page } from '../../platform/page.ts';
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
   * Tokens that a user has given away, whoever has them now, lowest ids first. A token that was given away twice may be
   * there twice, and one that was given away a moment ago may be missing.
   */
  givenBy(page: {
    /** The user's stand-in. */
    readonly giver: Address;
    readonly limit: number;
    readonly after?: string;
  }): Promise<Page<Pick<Nft, 'contract' | 'tokenId'>>>;
}
