import { newCache } from '../../cache.ts';
import type { Clock } from '../../clock.ts';
import type { Contract } from '../collection/contract.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { SignerState, Signers } from '../ports/signers.ts';

/** The maximum number of contracts, and of signers, that one process caches. */
const capacity = 1_000;

/**
 * Caches contracts for mints. A confirmed contract is read only once, because it stays confirmed, and its signer and
 * application never change. A pending contract is read again after `lifetimeMilliseconds`. If its deployment fails
 * within this time, new mints into it are still accepted and then fail on the chain, as do the mints that were accepted
 * shortly before the failure. Any other contract is read each time with a strongly consistent read.
 */
export const cachedContracts = ({
  contracts,
  clock,
  lifetimeMilliseconds,
}: {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly clock: Clock;
  readonly lifetimeMilliseconds: number;
}): Pick<Contracts, 'find'> => {
  const known = newCache<Contract>({ capacity, lifetimeMilliseconds, clock });
  return {
    find: async (key) => {
      const name = `${key.application}#${key.address}`;
      const hit = known.get(name);
      if (hit !== undefined) return hit;
      const found = await contracts.find(key);
      if (found?.status === 'confirmed') known.set(name, found, Number.POSITIVE_INFINITY);
      if (found?.status === 'pending') known.set(name, found);
      return found;
    },
  };
};

type CachedSigners = Pick<Signers, 'find' | 'create' | 'reserveNonce'>;

/**
 * Caches each signer's state for two checks before a nonce is reserved: whether the chain's price is under the fee
 * ceiling, and whether the signer's funds suffice. A cached state may be used for one block time, because the chain's
 * numbers do not change within a block. A reservation of a nonce also updates the cache. The nonce and the in-flight
 * cap always use the state that the reservation returns. The check of the funds may miss nonces that other processes
 * reserved meanwhile. In the worst case, the service accepts a transaction that the signer cannot pay for until it is
 * topped up. An alarm reports this case.
 */
export const cachedSigners = ({
  signers,
  clock,
  lifetimeMilliseconds,
}: {
  readonly signers: CachedSigners;
  readonly clock: Clock;
  readonly lifetimeMilliseconds: number;
}): CachedSigners => {
  const known = newCache<SignerState>({ capacity, lifetimeMilliseconds, clock });
  const see = (state: SignerState): void => known.set(state.id, state);
  return {
    ...signers,
    find: async (id) => {
      const hit = known.get(id);
      if (hit !== undefined) return hit;
      const state = await signers.find(id);
      if (state !== undefined) see(state);
      return state;
    },
    reserveNonce: async (taking) => {
      const taken = await signers.reserveNonce(taking);
      if (taken !== undefined) see(taken.state);
      return taken;
    },
  };
};
