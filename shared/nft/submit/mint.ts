import type { Application } from '../../applications/application.ts';
import { encodeMint, encodeMintBatch, mintGasLimit } from '../collection/collection.ts';
import type { CollectionKey, Nft, NftMetadata } from '../collection/nft.ts';
import { IdempotencyKeyReusedError, NftNotFoundError } from '../errors.ts';
import type { Address } from '../hex.ts';
import type { ResourceReference } from '../ports/claims.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Draft } from '../transactions/sign.ts';
import type { Idempotency } from './idempotency.ts';
import { requireOwnContract } from './own-contract.ts';
import type { Signed } from './record-transaction.ts';
import { type SubmitDependencies, submit } from './submit.ts';

export type MintDependencies = SubmitDependencies & {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'findRange' | 'reserveTokenIds'>;
};

interface NewToken {
  readonly destination: Address;
  readonly metadata: NftMetadata;
}

export interface Mint {
  readonly application: Application;
  readonly idempotency: Idempotency;
  readonly contract: Address;
  /** From 1 to 95. */
  readonly tokens: readonly NewToken[];
}

/** The call that makes these tokens; one alone costs less by a call of its own. */
const mintDraft = (collection: CollectionKey, firstTokenId: string, tokens: readonly NewToken[]): Draft => {
  const destinations = tokens.map(({ destination }) => destination);
  const [destination, ...others] = destinations;
  const first = BigInt(firstTokenId);
  return {
    purpose: { kind: 'mint', ...collection, firstTokenId, destinations },
    to: collection.contract,
    data:
      destination !== undefined && others.length === 0
        ? encodeMint({ destination, tokenId: first })
        : encodeMintBatch({ destinations, firstTokenId: first }),
    gas: mintGasLimit(tokens.length),
  };
};

/** What a key's earlier request made, as it is now. */
const mintedBefore = async (
  { nfts }: Pick<MintDependencies, 'nfts'>,
  collection: CollectionKey,
  result: ResourceReference,
): Promise<Nft[]> => {
  if (result.kind !== 'nfts') throw new IdempotencyKeyReusedError();
  const { from, to } = result;
  const found = await nfts.findRange({ ...collection, from, to });
  if (found.length === 0) throw new NftNotFoundError({ address: collection.contract, tokenId: from });
  return found;
};

/**
 * Mints tokens into the application's contract with one transaction, all of them or none, in the order given, or
 * answers what the request's key made before.
 */
export const mintTokens = (
  dependencies: MintDependencies,
  { application, idempotency, contract, tokens }: Mint,
): Promise<readonly Nft[]> => {
  const { nfts, clock } = dependencies;
  const collection = { application: application.id, contract };
  return submit<readonly Nft[]>(dependencies, {
    application,
    idempotency,
    quota: { what: 'mints', by: tokens.length, limit: application.limits.mintsPerDay },
    gas: mintGasLimit(tokens.length),
    signer: () => requireOwnContract(dependencies, collection),
    reserve: async () => {
      const firstTokenId = await nfts.reserveTokenIds({ ...collection, count: tokens.length });
      const draft = mintDraft(collection, firstTokenId, tokens);
      const createdAt = new Date(clock()).toISOString();
      const make = (signed: Signed): Nft[] =>
        tokens.map(({ destination, metadata }, index) => ({
          ...collection,
          tokenId: String(Number(firstTokenId) + index),
          destination,
          metadata,
          status: 'pending',
          createdAt,
          ...signed,
        }));
      return { draft, make, resource: (minted) => ({ kind: 'nfts', nfts: minted }) };
    },
    madeBefore: (result) => mintedBefore(dependencies, collection, result),
  });
};

/** Mints one token, as `mintTokens` does. */
export const mintToken = async (
  dependencies: MintDependencies,
  { destination, metadata, ...mint }: Omit<Mint, 'tokens'> & NewToken,
): Promise<Nft> => {
  const [nft] = await mintTokens(dependencies, { ...mint, tokens: [{ destination, metadata }] });
  if (nft === undefined) throw new RangeError('A mint of one token made none');
  return nft;
};
