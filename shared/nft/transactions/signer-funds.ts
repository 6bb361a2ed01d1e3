/** What a signer's balance is compared with: what its transactions may cost, and what the operator chose. */
import type { SignerState } from '../ports/signers.ts';

const weiOfCoin = 1e18;

/**
 * The balance, in wei, that a signer needs for another transaction that may cost `cost`: it also pays for the unmined
 * ones. The waiter has stored the highest possible cost of the log entries that it has read. Each nonce that was
 * reserved later is estimated at `cost`.
 */
export const neededBalance = (state: SignerState | undefined, cost: bigint): bigint => {
  if (state === undefined) return cost;
  const taken = state.nextNonce - Math.max(state.costedThrough, state.minedCount);
  return state.unminedCost + BigInt(Math.max(0, taken)) * cost + cost;
};

/**
 * A balance in the chain's coin. Both the alarm `BalanceLow` and `status` compare this number with `nft.lowBalance`, so
 * what else counts as spent belongs here.
 */
export const coinsOf = (balance: bigint): number => Number(balance) / weiOfCoin;
