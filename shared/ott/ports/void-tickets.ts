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
  all(): AsyncIterable<VoidToken>;
}

/** Makes tokens void, and valid again. The history of a token tells of each change, in the same write. */
export interface VoidChanges {
  /** Adds a void token, or returns it if it is already void. `undefined` if the contract has too many void tokens. */
  add(token: VoidToken & By): Promise<VoidToken | undefined>;
  /** Returns whether the token was void. `at`: the time now, in epoch milliseconds. */
  remove(token: Pick<VoidToken, 'contract' | 'tokenId'> & By & { readonly at: number }): Promise<boolean>;
}

interface By {
  /** The operation or the operator's command. */
  readonly by: string;
}
