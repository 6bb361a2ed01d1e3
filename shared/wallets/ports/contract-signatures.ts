import type { Address, Hash, Hex } from '../../nft/hex.ts';

export interface ContractSignatures {
  /** By ERC-1271, or by ERC-6492 for a contract that is not deployed yet. @throws ChainUnavailableError */
  isValid(question: {
    readonly address: Address;
    readonly hash: Hash;
    readonly signature: Hex;
  }): Promise<boolean>;
}
