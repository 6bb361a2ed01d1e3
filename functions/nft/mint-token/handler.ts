import { answerWithKey } from '../../../shared/nft/http/answer-with-key.ts';
import { contractUrl, nftAnswer } from '../../../shared/nft/http/answers.ts';
import { type MintToken, receiversOf, requireOtherOwner } from '../../../shared/nft/http/requests.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import { refuseStandIns } from '../../../shared/nft/reservations/refuse-stand-ins.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { type IssueDependencies, issueTokens } from '../issue-tokens.ts';

type Dependencies = IssueDependencies & CallingDependencies;

export const mintTokenHandler =
  ({ applications, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<ContractPath, undefined, MintToken>): Promise<HttpResponse> => {
    const application = await callingApplication(applications, request.apiKeyId);
    const { contract_address: contract } = request.path;
    const destinations = [['destination', request.body.destination]] as const;
    requireOtherOwner(contract, destinations);
    await refuseStandIns(dependencies, { application, destinations });
    const receivers = receiversOf([request.body]);
    return answerWithKey(request, async (idempotency) => {
      const [nft] = await issueTokens(dependencies, { application, idempotency, contract, receivers });
      if (nft === undefined) throw new RangeError('A request for one token returned no token');
      return {
        status: 201,
        headers: { location: `${contractUrl(request.addresses.base, contract)}/tokens/${nft.tokenId}` },
        body: nftAnswer(nft),
      };
    });
  };
