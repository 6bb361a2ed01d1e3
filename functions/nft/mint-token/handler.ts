import { contractUrl, nftAnswer } from '../../../shared/nft/http/answers.ts';
import { answerWithKey } from '../../../shared/nft/http/idempotency.ts';
import { type MintToken, requireOtherOwner } from '../../../shared/nft/http/requests.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import { type MintDependencies, mintToken } from '../../../shared/nft/submit/mint.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

type Dependencies = MintDependencies &
  CallingDependencies & {
    readonly publicBaseUrl: string;
  };

export const mintTokenHandler =
  ({ applications, publicBaseUrl, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<ContractPath, undefined, MintToken>): Promise<HttpResponse> => {
    const { contract_address: contract } = request.path;
    requireOtherOwner(contract, [['destination', request.body.destination]]);
    const application = await callingApplication(applications, request.apiKeyId);
    return answerWithKey(request, async (idempotency) => {
      const nft = await mintToken(dependencies, { application, idempotency, contract, ...request.body });
      return {
        status: 201,
        headers: { location: `${contractUrl(publicBaseUrl, contract)}/tokens/${nft.tokenId}` },
        body: nftAnswer(nft),
      };
    });
  };
