import { ChainUnavailableError } from '../../chain/errors.ts';
import type { Signer } from '../ports/chain.ts';
import type { SignerState } from '../ports/signers.ts';
import { type SignerId, signerIdOf } from './entry.ts';

export interface KeyRing {
  /** The signers whose KMS key can be reached at the moment, ordered by number. */
  list(): Promise<readonly KnownSigner[]>;
  /**
   * Finds a signer by its id. `undefined` if none of the stage's keys belongs to the signer.
   * @throws ChainUnavailableError if no key that answered belongs to the signer, but some keys did not answer.
   */
  find(id: SignerId): Promise<KnownSigner | undefined>;
}

export interface KnownSigner {
  readonly id: SignerId;
  readonly signer: Signer;
}

export interface ChosenSigner extends KnownSigner {
  readonly state: SignerState | undefined;
}

/** Caches the addresses of the stage's KMS keys. An unreachable key blocks only the work of its own signer. */
export const keyRing = (signers: readonly Signer[]): KeyRing => {
  const known = new Map<SignerId, KnownSigner>();

  const ask = async (signer: Signer): Promise<KnownSigner> => {
    const id = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
    const found = { id, signer };
    known.set(id, found);
    return found;
  };

  return {
    list: async () => {
      const asked = await Promise.allSettled(signers.map(ask));
      return asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    },
    find: async (id) => {
      const hit = known.get(id);
      if (hit !== undefined) return hit;
      const isWanted = async (signer: Signer): Promise<KnownSigner> => {
        const found = await ask(signer);
        if (found.id === id) return found;
        throw new OtherSigner();
      };
      try {
        return await Promise.any(signers.map(isWanted));
      } catch (error) {
        const cause = (error as AggregateError).errors.find((each) => !(each instanceof OtherSigner));
        if (cause === undefined) return undefined;
        throw new ChainUnavailableError({
          message: `Not every key could be checked, and no checked key belongs to signer ${id}`,
          cause,
        });
      }
    },
  };
};

class OtherSigner extends Error {}

/**
 * A signer whose key no longer belongs to the stage, or cannot be read. Its transactions can be followed, but nothing
 * can be signed for it.
 */
export const keylessSigner = (id: SignerId): Signer => {
  const refuse = async (): Promise<never> => {
    throw new ChainUnavailableError({ message: `No key of signer ${id} can be used` });
  };
  return { number: 0, chainId: Number(id.slice(0, id.indexOf('#'))), address: refuse, sign: refuse };
};
