import { contractMetadata } from '../../../shared/nft/http/metadata-answers.ts';
import { findPublicContract, publicMetadataAnswer } from '../../../shared/nft/http/public-call.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

export interface Dependencies {
  readonly contracts: Pick<Contracts, 'findPublic'>;
}

export const getContractMetadataHandler =
  ({ contracts }: Dependencies) =>
  async (request: HttpRequest<ContractPath, undefined, undefined>): Promise<HttpResponse> => {
    const contract = await findPublicContract(contracts, request.path.contract_address);
    return publicMetadataAnswer(request, contractMetadata(contract));
  };
