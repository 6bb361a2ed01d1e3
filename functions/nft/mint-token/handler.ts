import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { contractUrl, nftAnswer } from '../../../shared/nft/http/answers.ts';
import { idempotencyOf } from '../../../shared/nft/http/idempotency.ts';
import { type MintToken, requireOtherOwner } from '../../../shared/nft/http/requests.ts';
import { type MintDependencies, mintToken } from '../../../shared/nft/submit/mint.ts';

export type Dependencies = MintDependencies & {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
  readonly publicBaseUrl: string;
};

export const mintTokenHandler =
  ({ applications, publicBaseUrl, ...dependencies }: Dependencies) =>
  async (
    request: HttpRequest<{ readonly contract_address: Address }, undefined, MintToken>,
  ): Promise<HttpResponse> => {
    const { contract_address: contract } = request.path;
    requireOtherOwner(contract, [['destination', request.body.destination]]);
    const nft = await mintToken(dependencies, {
      application: await callingApplication(applications, request.apiKeyId),
      idempotency: idempotencyOf(request),
      contract,
      ...request.body,
    });
    return {
      status: 201,
      headers: { location: `${contractUrl(publicBaseUrl, contract)}/tokens/${nft.tokenId}` },
      body: nftAnswer(nft),
    };
  };
