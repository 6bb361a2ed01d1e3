import { newCache } from '../../platform/cache.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Contract } from '../collections/contract.ts';
import type { Contracts } from '../ports/contracts.ts';

/** The maximum number of contracts that one process caches. */
const capacity = 1_000;

/**
 * Caches contracts for mints. A confirmed contract is read only once, because its status, signer and application never
 * change. A pending contract is read again after `lifetimeMilliseconds`. If its deployment fails in the meantime, new
 * mints are still accepted, but fail on the chain. Any other contract is read each time.
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
      const name = `${key.applicationId}#${key.address}`;
      const hit = known.get(name);
      if (hit !== undefined) return hit;
      const found = await contracts.find(key);
      if (found?.status === 'confirmed') known.set(name, found, Number.POSITIVE_INFINITY);
      if (found?.status === 'pending') known.set(name, found);
      return found;
    },
  };
};
