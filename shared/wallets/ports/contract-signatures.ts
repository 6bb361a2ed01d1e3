import type { Address, Hash, Hex } from '../../chain/hex.ts';

export interface ContractSignatures {
  /**
   * Whether a contract wallet accepts a signature, by ERC-1271, or by ERC-6492 if the contract is not deployed yet. False
   * for an address without a contract.
   * @throws ChainUnavailableError
   */
  isValid(question: {
    readonly address: Address;
    readonly hash: Hash;
    readonly signature: Hex;
  }): Promise<boolean>;
}
