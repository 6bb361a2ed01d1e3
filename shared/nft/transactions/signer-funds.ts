/** What a signer's balance is compared with: what its transactions may cost, and what the operator chose. */
import { ChainUnavailableError } from '../../chain/errors.ts';
import type { Address } from '../../chain/hex.ts';
import { newCache } from '../../platform/cache.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Chain } from '../ports/chain.ts';
import { type MetricEvents, nftEvents } from '../ports/metrics.ts';
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

const balanceLifetimeMilliseconds = 60_000;
const signersAtMost = 1_000;

export type FundsGuard = (question: {
  readonly address: Address;
  readonly state: SignerState | undefined;
  readonly cost: bigint;
}) => Promise<void>;

/**
 * Refuses a transaction that the signer cannot pay for. A balance is cached for a minute, but is read again before a
 * transaction is refused.
 */
export const fundsGuard = ({
  chain,
  clock,
  events,
}: {
  readonly chain: Pick<Chain, 'balance'>;
  readonly clock: Clock;
  readonly events: MetricEvents;
}): FundsGuard => {
  const known = newCache<bigint>({
    capacity: signersAtMost,
    lifetimeMilliseconds: balanceLifetimeMilliseconds,
    clock,
  });

  const read = async (address: Address): Promise<bigint> => {
    const balance = await chain.balance(address);
    known.set(address, balance);
    return balance;
  };

  return async ({ address, state, cost }) => {
    const needed = neededBalance(state, cost);
    const before = known.get(address);
    if (before !== undefined && before >= needed) return;
    const balance = await read(address);
    if (balance >= needed) return;
    events.raise(nftEvents.fundsShort, { signer: address, balance: String(balance), needed: String(needed) });
    throw new ChainUnavailableError({
      message: `Signer ${address} has ${balance} wei, but its unmined transactions and this request may cost ${needed} wei`,
    });
  };
};
