import { inParallel } from '../../platform/in-parallel.ts';
import type { CollectionKey } from '../collection/nft.ts';
import { addressOfSigner, type Entry, type SignerId } from '../entry.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { Address } from '../hex.ts';
import type { BlockId } from '../ports/chain.ts';
import type { Contracts } from '../ports/contracts.ts';
import { ownerAt } from './minted-after.ts';
import { type SettleRestoredDependencies, stateOf } from './settle-restored.ts';

/** A reserved token that its table has lost, as it was at the moment. */
export interface LostReservation extends CollectionKey {
  readonly tokenId: string;
  /**
   * Stores the token where the table has none: reserved, or minted to its owner if it has one. Its claim, which was
   * recorded after the moment, is then known no more.
   */
  readonly store: (owner: Address | undefined) => Promise<unknown>;
}

export type SettleReservedDependencies = SettleRestoredDependencies & {
  readonly contracts: Pick<Contracts, 'find'>;
};

const settlesAtOnce = 16;

/**
 * Tokens whose claims were pending at the restored moment. If such a claim has failed, a later claim may have minted
 * the token.
 */
const claimedIn = (
  { restoredEntries }: Pick<SettleReservedDependencies, 'restoredEntries'>,
  entries: readonly Entry[],
): LostReservation[] =>
  entries.flatMap(({ purpose }) =>
    purpose.kind === 'claim'
      ? [
          {
            ...purpose,
            store: async (owner) => {
              if (owner !== undefined) await restoredEntries.confirmReserved(purpose, owner);
            },
          },
        ]
      : [],
  );

/**
 * Brings reserved tokens back. They may have been claimed after the moment, and the chain alone knows it. So each one
 * waits until all nonces are final that its signer had reserved when this began: after that, no lost claim can mint it.
 * If it is cut off and run again, it ends the same.
 */
export const settleReserved = async (
  dependencies: SettleReservedDependencies,
  {
    lost,
    settled,
    onProgress = () => {},
  }: {
    readonly lost: readonly LostReservation[];
    /** The entries that were pending at the moment. */
    readonly settled: readonly Entry[];
    readonly onProgress?: (left: number) => void;
  },
): Promise<void> => {
  const { chain, contracts, logger, wait } = dependencies;
  const nonces = new Map<SignerId, number>();

  const isDone = async (collection: CollectionKey, at: BlockId): Promise<boolean> => {
    const { application, contract: address } = collection;
    const signer = (await contracts.find({ application, address }))?.signer;
    if (signer === undefined) return true;
    const count = nonces.get(signer) ?? (await stateOf(dependencies, signer)).nextNonce;
    nonces.set(signer, count);
    return (await chain.minedCountAt(addressOfSigner(signer), at)) >= count;
  };
  /** Returns whether the tokens of a collection are settled. */
  const settle = async (tokens: readonly [LostReservation, ...LostReservation[]]): Promise<boolean> => {
    try {
      const at = await chain.finalizedBlock();
      if (!(await isDone(tokens[0], at))) return false;
      await inParallel(tokens, {
        atOnce: settlesAtOnce,
        run: async ({ contract, tokenId, store }) =>
          store(await ownerAt({ chain }, { contract, id: Number(tokenId), at })),
      });
      return true;
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      logger.info('No RPC endpoint answers, so it is not known yet who owns reserved tokens', { error });
      return false;
    }
  };

  const collections = new Map<string, [LostReservation, ...LostReservation[]]>();
  for (const token of [...lost, ...claimedIn(dependencies, settled)]) {
    const name = `${token.application} ${token.contract}`;
    const known = collections.get(name);
    if (known === undefined) collections.set(name, [token]);
    else known.push(token);
  }
  while (collections.size > 0) {
    onProgress([...collections.values()].reduce((sum, { length }) => sum + length, 0));
    for (const [name, tokens] of collections) if (await settle(tokens)) collections.delete(name);
    if (collections.size > 0) await wait();
  }
};
