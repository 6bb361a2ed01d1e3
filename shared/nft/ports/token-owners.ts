import type { Address } from '../../chain/hex.ts';

export interface OwnerAtBlock {
  /** In EIP-55 form. `undefined` if the token does not exist as of the block `blockNumber`. */
  readonly owner: Address | undefined;
  readonly blockNumber: number;
  /** The block's time, in milliseconds since the epoch. */
  readonly at: number;
}

export interface TokenOwners {
  /**
   * The token's owner as of the newest block of the endpoint that answers. That block may not be final yet.
   * @throws ChainUnavailableError
   */
  now(token: { readonly contract: Address; readonly tokenId: string }): Promise<OwnerAtBlock>;
}
