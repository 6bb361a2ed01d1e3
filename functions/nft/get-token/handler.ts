import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { type OwnTokenDependencies, requireOwnToken } from '../../../shared/nft/own-token.ts';

export interface Dependencies extends OwnTokenDependencies {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
}

export const getTokenHandler =
  ({ applications, ...dependencies }: Dependencies) =>
  async ({
    apiKeyId,
    path: { contract_address: address, id: tokenId },
  }: HttpRequest<
    { readonly contract_address: Address; readonly id: string },
    undefined,
    undefined
  >): Promise<HttpResponse> => {
    const { id: application } = await callingApplication(applications, apiKeyId);
    const nft = await requireOwnToken(dependencies, { application, address, tokenId });
    return { status: 200, body: nftAnswer(nft) };
  };
