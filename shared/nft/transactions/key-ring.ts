import { addressOfSigner, type SignerId, signerIdOf } from '../entry.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { Signer } from '../ports/chain.ts';
import type { SignerState } from '../ports/signers.ts';

/** The signers whose keys belong to the stage. */
export interface KeyRing {
  /** Signers whose key tells its address right now, ordered by number. */
  list(): Promise<readonly KnownSigner[]>;
  /**
   * `undefined` for a signer whose key does not belong to the stage.
   *
   * @throws ChainUnavailableError when a key that may be the signer's does not tell its address.
   */
  find(id: SignerId): Promise<KnownSigner | undefined>;
}

export interface KnownSigner {
  readonly id: SignerId;
  readonly signer: Signer;
}

/** The signer of a request. */
export interface ChosenSigner extends KnownSigner {
  /** Its state when it was chosen; `undefined` before its first nonce. */
  readonly state: SignerState | undefined;
}

/** The signers of a stage by their ids. An unreachable key blocks only the work of its own signer. */
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
        throw new ChainUnavailableError({ message: `No key says whether it is that of signer ${id}`, cause });
      }
    },
  };
};

class OtherSigner extends Error {}

/** A signer whose key left the stage: its transactions can be followed, but nothing can be signed. */
export const keylessSigner = (id: SignerId): Signer => ({
  number: 0,
  chainId: Number(id.slice(0, id.indexOf('#'))),
  address: async () => addressOfSigner(id),
  sign: async () => {
    throw new ChainUnavailableError({ message: `The stage has no key of signer ${id}` });
  },
});
