import type { Address } from '../../chain/hex.ts';
import { ContractNotFoundError, NftNotFoundError } from '../errors.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Nft } from './nft.ts';

export interface OwnTokenDependencies {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'find'>;
}

/** @throws ContractNotFoundError, NftNotFoundError */
export const requireOwnToken = async (
  { contracts, nfts }: OwnTokenDependencies,
  {
    applicationId,
    address,
    tokenId,
  }: { readonly applicationId: string; readonly address: Address; readonly tokenId: string },
): Promise<Nft> => {
  const nft = await nfts.find({ applicationId, contract: address, tokenId });
  // A stored token proves that its contract exists, so the contract is read only if the token is not found.
  if (nft !== undefined) return nft;
  if ((await contracts.find({ applicationId, address })) === undefined) {
    throw new ContractNotFoundError({ address });
  }
  throw new NftNotFoundError({ address, tokenId });
};
