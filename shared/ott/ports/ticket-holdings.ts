import type { Address } from '../../nft/hex.ts';

export interface HoldingQuestion {
  readonly wallets: readonly Address[];
  readonly contracts: readonly Address[];
  /** Decimal ids of tokens that open nothing, by contract. */
  readonly voidTokens: ReadonlyMap<Address, readonly string[]>;
}

/** Who holds which tokens now, as far as the newest block of an endpoint goes. */
export interface TicketHoldings {
  /**
   * Whether one of the wallets holds a token of one of the contracts that is not void. What is no ERC-721 contract has no
   * tokens.
   *
   * @throws ChainUnavailableError
   */
  isHeld(question: HoldingQuestion): Promise<boolean>;
  /** Those of the contracts that do not say of themselves that they are ERC-721. @throws ChainUnavailableError */
  notErc721(contracts: readonly Address[]): Promise<readonly Address[]>;
}
