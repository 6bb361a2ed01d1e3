import { newCache } from '../../platform/cache.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { SignerState, Signers } from '../ports/signers.ts';

/** The maximum number of signers that one process caches. */
const capacity = 1_000;

type CachedSigners = Pick<Signers, 'find' | 'create' | 'reserveNonce'>;

/**
 * Caches each signer's state for the checks of fees and funds that precede the reservation of a nonce. A cached state
 * may be used for one block time, because the chain's numbers do not change within a block. A reservation returns and
 * caches a new state. The nonce and the in-flight cap always use this new state. The check of the funds may miss nonces
 * that other processes have just reserved. In the worst case, the service accepts a transaction that the signer cannot
 * pay for until the signer is topped up. An alarm reports this case.
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
