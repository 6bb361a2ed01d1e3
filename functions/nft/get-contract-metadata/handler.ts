import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { contractMetadata } from '../../../shared/nft/http/answers.ts';
import { findPublicContract, publicMetadataAnswer } from '../../../shared/nft/http/public-metadata.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';

export interface Dependencies {
  readonly contracts: Pick<Contracts, 'findPublic'>;
}

export const getContractMetadataHandler =
  ({ contracts }: Dependencies) =>
  async (
    request: HttpRequest<{ readonly contract_address: Address }, undefined, undefined>,
  ): Promise<HttpResponse> => {
    const contract = await findPublicContract(contracts, request.path.contract_address);
    return publicMetadataAnswer(request, contractMetadata(contract));
  };
