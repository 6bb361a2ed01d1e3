import { newCache } from '../../cache.ts';
import type { Clock } from '../../clock.ts';
import type { Contract } from '../collection/contract.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { SignerState, Signers } from '../ports/signers.ts';

/** Contracts, or signers, that one function looks at. */
const capacity = 1_000;

/**
 * Contracts as a mint looks at them. A confirmed one is confirmed for good, with the same signer and application: it
 * is read once. A pending one is read once in `lifetimeMilliseconds`: should it fail meanwhile, the mint fails behind
 * it, like those that were accepted just before. Any other is read, consistently, every time.
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
 * Each signer's state for the two looks that take nothing: fees, and whether the funds suffice. What the last nonce
 * came with is new enough for a block, in which the chain's own numbers do not change either; the nonce and the
 * flight go by the state that comes with taking it. What others took meanwhile is missing from the funds for that
 * long: at worst a transaction is admitted that waits for the next top-up, with the alarm of that.
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
