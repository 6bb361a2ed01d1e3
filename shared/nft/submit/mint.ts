import type { Application } from '../../applications/application.ts';
import { encodeMint, mintGasLimit } from '../collection/collection.ts';
import type { Nft, NftMetadata } from '../collection/nft.ts';
import { IdempotencyKeyReusedError, NftNotFoundError } from '../errors.ts';
import type { Address } from '../ports/chain.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Idempotency } from './idempotency.ts';
import { requireOwnContract } from './own-contract.ts';
import { type SubmitDependencies, submit } from './submit.ts';

export type MintTokenDependencies = SubmitDependencies & {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'find' | 'reserveTokenId'>;
};

export interface Mint {
  readonly application: Application;
  readonly idempotency: Idempotency;
  readonly contract: Address;
  readonly destination: Address;
  readonly metadata: NftMetadata;
}

/** Mints a token into the application's contract, or answers what the request's key made before. */
export const mintToken = (
  dependencies: MintTokenDependencies,
  { application, idempotency, contract, destination, metadata }: Mint,
): Promise<Nft> => {
  const { contracts, nfts, clock } = dependencies;
  const collection = { application: application.id, contract };
  return submit<Nft>(dependencies, {
    application,
    idempotency,
    quota: { what: 'mints', limit: application.limits.mintsPerDay },
    gas: mintGasLimit(1),
    requirements: (signer) => requireOwnContract({ contracts }, { ...collection, signer }),
    reserve: async () => {
      const tokenId = await nfts.reserveTokenId(collection);
      return {
        draft: {
          purpose: { kind: 'mint', ...collection, tokenId, destination },
          to: contract,
          data: encodeMint({ destination, tokenId: BigInt(tokenId) }),
          gas: mintGasLimit(1),
        },
        make: (signed) => ({
          ...collection,
          tokenId,
          destination,
          metadata,
          status: 'pending',
          createdAt: new Date(clock()).toISOString(),
          ...signed,
        }),
        resource: (nft) => ({ kind: 'nft', nft }),
      };
    },
    madeBefore: async (result) => {
      if (result.kind !== 'nft') throw new IdempotencyKeyReusedError();
      const { tokenId } = result;
      const nft = await nfts.find({ ...collection, tokenId });
      if (nft === undefined) throw new NftNotFoundError({ address: contract, tokenId });
      return nft;
    },
  });
};
