import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import type { TokenPath } from '../../../shared/nft/http/routes.ts';
import { type OwnTokenDependencies, requireOwnToken } from '../../../shared/nft/tokens/own-token.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

type Dependencies = OwnTokenDependencies & CallingDependencies;

export const getTokenHandler =
  ({ applications, ...dependencies }: Dependencies) =>
  async ({
    apiKeyId,
    path: { contract_address: address, id: tokenId },
  }: HttpRequest<TokenPath, undefined, undefined>): Promise<HttpResponse> => {
    const { id: applicationId } = await callingApplication(applications, apiKeyId);
    const nft = await requireOwnToken(dependencies, { applicationId, address, tokenId });
    return { status: 200, body: nftAnswer(nft) };
  };
