import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import { NftNotFoundError } from '../../../shared/nft/errors.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { ownerAnswer } from '../../../shared/nft/http/answers.ts';
import { type OwnTokenDependencies, requireOwnToken } from '../../../shared/nft/own-token.ts';
import type { TokenOwners } from '../../../shared/nft/ports/token-owners.ts';

export interface Dependencies extends OwnTokenDependencies {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
  readonly owners: TokenOwners;
}

export const getTokenOwnerHandler =
  ({ applications, owners, ...dependencies }: Dependencies) =>
  async ({
    apiKeyId,
    path: { contract_address: address, id: tokenId },
  }: HttpRequest<
    { readonly contract_address: Address; readonly id: string },
    undefined,
    undefined
  >): Promise<HttpResponse> => {
    const { id: application } = await callingApplication(applications, apiKeyId);
    // Only the application's own tokens may cause a query to the chain.
    await requireOwnToken(dependencies, { application, address, tokenId });
    const { owner, ...block } = await owners.now({ contract: address, tokenId });
    if (owner === undefined) throw new NftNotFoundError({ address, tokenId });
    return { status: 200, body: ownerAnswer({ owner, ...block }) };
  };
