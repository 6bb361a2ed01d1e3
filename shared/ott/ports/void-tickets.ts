import type { Address } from '../../nft/hex.ts';

/** How many tokens of one contract may be void: that many are asked about on a stream call. */
export const voidTokensAtMost = 40;

export interface VoidToken {
  readonly contract: Address;
  /** Decimal. */
  readonly tokenId: string;
  /** Epoch milliseconds. */
  readonly voidedAt: number;
}

/** Tokens that open no event, though somebody holds them. Every read sees every write that was answered before it. */
export interface VoidTickets {
  /** By contract, up to 100 of them; those without any are left out. */
  ofContracts(contracts: readonly Address[]): Promise<ReadonlyMap<Address, readonly VoidToken[]>>;
  /** What it is then; one that was void before stays as it was. `undefined` when as many are void as may be. */
  add(token: VoidToken): Promise<VoidToken | undefined>;
  /** Every one, in no order. */
  all(): AsyncIterable<VoidToken>;
  /** Whether it was void. */
  remove(token: Pick<VoidToken, 'contract' | 'tokenId'>): Promise<boolean>;
}
