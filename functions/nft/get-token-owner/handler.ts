import { NftNotFoundError } from '../../../shared/nft/errors.ts';
import { ownerAnswer } from '../../../shared/nft/http/answers.ts';
import type { TokenPath } from '../../../shared/nft/http/routes.ts';
import type { TokenOwners } from '../../../shared/nft/ports/token-owners.ts';
import { type OwnTokenDependencies, requireOwnToken } from '../../../shared/nft/tokens/own-token.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

interface Dependencies extends OwnTokenDependencies, CallingDependencies {
  readonly owners: TokenOwners;
}

export const getTokenOwnerHandler =
  ({ applications, owners, ...dependencies }: Dependencies) =>
  async ({
    apiKeyId,
    path: { contract_address: address, id: tokenId },
  }: HttpRequest<TokenPath, undefined, undefined>): Promise<HttpResponse> => {
    const { id: applicationId } = await callingApplication(applications, apiKeyId);
    // The chain is queried only for tokens of the calling application.
    const { status } = await requireOwnToken(dependencies, { applicationId, address, tokenId });
    if (status === 'reserved') throw new NftNotFoundError({ address, tokenId });
    const { owner, ...block } = await owners.now({ contract: address, tokenId });
    if (owner === undefined) throw new NftNotFoundError({ address, tokenId });
    return { status: 200, body: ownerAnswer({ owner, ...block }) };
  };
