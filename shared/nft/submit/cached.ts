import type { Clock } from '../../clock.ts';
import type { Contract } from '../collection/contract.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { SignerState, Signers } from '../ports/signers.ts';

const capacity = 1_000;

/**
 * Contracts as a mint looks at them. A confirmed one is confirmed for good, with the same signer and application: it
 * is read once. A pending one is read once in `lifetimeMilliseconds`: should it fail meanwhile, the mint fails behind
 * it, like those that were accepted just before. Any other is read, consistently, every time.
 */
export const rememberingContracts = ({
  contracts,
  clock,
  lifetimeMilliseconds,
}: {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly clock: Clock;
  readonly lifetimeMilliseconds: number;
}): Pick<Contracts, 'find'> => {
  const remembered = new Map<string, { readonly contract: Contract; readonly until: number }>();
  return {
    find: async (key) => {
      const name = `${key.application}#${key.address}`;
      const now = clock();
      const known = remembered.get(name);
      if (known !== undefined && now < known.until) return known.contract;
      const found = await contracts.find(key);
      if (found?.status === 'confirmed' || found?.status === 'pending') {
        if (remembered.size >= capacity) remembered.clear();
        const until = found.status === 'confirmed' ? Number.POSITIVE_INFINITY : now + lifetimeMilliseconds;
        remembered.set(name, { contract: found, until });
      }
      return found;
    },
  };
};

/**
 * The signer's state for the two looks that take nothing: fees, and whether the funds suffice. What the last nonce
 * came with is new enough for a block, in which the chain's own numbers do not change either; the nonce and the
 * flight go by the state that comes with taking it. What others took meanwhile is missing from the funds for that
 * long: at worst a transaction is admitted that waits for the next top-up, with the alarm of that.
 */
export const rememberingLatest = ({
  signers,
  clock,
  lifetimeMilliseconds,
}: {
  readonly signers: Signers;
  readonly clock: Clock;
  readonly lifetimeMilliseconds: number;
}): Signers => {
  let latest: { readonly state: SignerState; readonly seenAt: number } | undefined;
  const see = (state: SignerState): void => {
    latest = { state, seenAt: clock() };
  };
  return {
    ...signers,
    find: async (id) => {
      const isNew = latest !== undefined && clock() - latest.seenAt < lifetimeMilliseconds;
      if (isNew && latest?.state.id === id) return latest.state;
      const state = await signers.find(id);
      if (state !== undefined) see(state);
      return state;
    },
    takeNonce: async (taking) => {
      const taken = await signers.takeNonce(taking);
      if (taken !== undefined) see(taken.state);
      return taken;
    },
  };
};
