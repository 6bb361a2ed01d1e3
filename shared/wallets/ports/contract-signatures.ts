import type { Address, Hash, Hex } from '../../nft/hex.ts';

/** What the contract of a wallet says of a signature. */
export interface ContractSignatures {
  /**
   * By ERC-1271, or ERC-6492 for a contract that is not deployed yet.
   *
   * @throws ChainUnavailableError when no endpoint says anything.
   */
  isValid(question: {
    readonly address: Address;
    readonly hash: Hash;
    readonly signature: Hex;
  }): Promise<boolean>;
}
