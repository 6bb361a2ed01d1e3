import { newCache } from '../../cache.ts';
import type { Clock } from '../../clock.ts';
import type { Contract } from '../collection/contract.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { SignerState, Signers } from '../ports/signers.ts';

/** Contracts or signers cached by one function. */
const capacity = 1_000;

/**
 * Contracts as a mint needs them. A confirmed contract stays confirmed, with the same signer and application: it is
 * read once. A pending one is read once in `lifetimeMilliseconds`: if it fails meanwhile, the mint fails behind it,
 * like the mints accepted just before. Any other contract is read consistently each time.
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
 * Each signer's state for two checks that reserve nothing: fees, and whether the funds suffice. The state that came
 * with the last nonce is new enough for one block time, in which the chain's numbers do not change either; nonce and
 * in-flight cap use the state returned by the reservation. Funds may miss what other processes reserved meanwhile: at
 * worst a transaction is admitted that waits for the next top-up, and an alarm says so.
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
