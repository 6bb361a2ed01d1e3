import type { Address } from '../../chain/hex.ts';

export interface HoldingQuestion {
  readonly wallets: readonly Address[];
  readonly contracts: readonly Address[];
  /** Decimal ids of void tokens, by contract. */
  readonly voidTokens: ReadonlyMap<Address, readonly string[]>;
  /** Decimal ids of tokens whose mint to the viewer is under way, by contract. They are not void. */
  readonly claimedTokens: ReadonlyMap<Address, readonly string[]>;
}

/** Reads the owners of tokens at the newest block that an RPC endpoint reports. */
export interface TicketHoldings {
  /**
   * Whether one of the wallets holds a token of one of the contracts. Void tokens do not count. A contract that is not
   * ERC-721 counts as having no tokens. A claimed token counts as held as long as it has no owner: its mint is not mined
   * yet. As soon as it has one, only the wallets count.
   * @throws ChainUnavailableError
   */
  isHeld(question: HoldingQuestion): Promise<boolean>;
  /**
   * The tokens for which `ownerOf` names no owner, by contract. They were burned or never minted, or the contract is
   * unable to answer. If it is unable, a void token of it still gives access.
   * @throws ChainUnavailableError
   */
  withoutOwner(
    tokens: ReadonlyMap<Address, readonly string[]>,
  ): Promise<ReadonlyMap<Address, readonly string[]>>;
  /** The contracts that do not declare the ERC-721 interface (ERC-165). @throws ChainUnavailableError */
  notErc721(contracts: readonly Address[]): Promise<readonly Address[]>;
}
