import type { Address } from '../../chain/hex.ts';

export interface VoidToken {
  readonly contract: Address;
  readonly tokenId: string;
  /** Epoch milliseconds. */
  readonly voidedAt: number;
}

/** Tokens that give access to no event, whoever holds them. Reads are strongly consistent. */
export interface VoidTickets {
  /** The void tokens of at most 100 contracts. Contracts without void tokens are left out. */
  ofContracts(contracts: readonly Address[]): Promise<ReadonlyMap<Address, readonly VoidToken[]>>;
  /** Adds a void token, or returns it if it is already void. `undefined` if the contract has too many void tokens. */
  add(token: VoidToken): Promise<VoidToken | undefined>;
  all(): AsyncIterable<VoidToken>;
  /** Returns whether the token was void. */
  remove(token: Pick<VoidToken, 'contract' | 'tokenId'>): Promise<boolean>;
}
