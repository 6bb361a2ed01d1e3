import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import { ContractNotFoundError, NftNotFoundError } from '../../../shared/nft/errors.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { ownerAnswer } from '../../../shared/nft/http/answers.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { Nfts } from '../../../shared/nft/ports/nfts.ts';
import type { TokenOwners } from '../../../shared/nft/ports/token-owners.ts';

export interface Dependencies {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'find'>;
  readonly owners: TokenOwners;
}

export const getTokenOwnerHandler =
  ({ applications, contracts, nfts, owners }: Dependencies) =>
  async ({
    apiKeyId,
    path: { contract_address: address, id: tokenId },
  }: HttpRequest<
    { readonly contract_address: Address; readonly id: string },
    undefined,
    undefined
  >): Promise<HttpResponse> => {
    const { id: application } = await callingApplication(applications, apiKeyId);
    // The chain is asked only about tokens that the application made.
    if ((await nfts.find({ application, contract: address, tokenId })) === undefined) {
      if ((await contracts.find({ application, address })) === undefined) {
        throw new ContractNotFoundError({ address });
      }
      throw new NftNotFoundError({ address, tokenId });
    }
    const { owner, ...block } = await owners.now({ contract: address, tokenId });
    if (owner === undefined) throw new NftNotFoundError({ address, tokenId });
    return { status: 200, body: ownerAnswer({ owner, ...block }) };
  };
