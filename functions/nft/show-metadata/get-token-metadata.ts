import { NftNotFoundError } from '../../../shared/nft/errors.ts';
import { tokenMetadata } from '../../../shared/nft/http/metadata-answers.ts';
import { findPublicContract, publicMetadataAnswer } from '../../../shared/nft/http/public-call.ts';
import type { TokenPath } from '../../../shared/nft/http/routes.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { Nfts } from '../../../shared/nft/ports/nfts.ts';
import { isBurnt } from '../../../shared/nft/tokens/gone.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

export interface Dependencies {
  readonly contracts: Pick<Contracts, 'findPublic'>;
  readonly nfts: Pick<Nfts, 'find'>;
}

export const getTokenMetadataHandler =
  ({ contracts, nfts }: Dependencies) =>
  async (request: HttpRequest<TokenPath, undefined, undefined>): Promise<HttpResponse> => {
    const { contract_address: address, id: tokenId } = request.path;
    const { applicationId } = await findPublicContract(contracts, address);
    const nft = await nfts.find({ applicationId, contract: address, tokenId });
    const isMinted = nft?.status === 'pending' || nft?.status === 'confirmed';
    if (!isMinted || isBurnt(nft)) throw new NftNotFoundError({ address, tokenId });
    return publicMetadataAnswer(request, tokenMetadata(nft));
  };
