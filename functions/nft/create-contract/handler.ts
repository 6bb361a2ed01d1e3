import { answerWithKey } from '../../../shared/nft/http/answer-with-key.ts';
import { contractAnswer, contractUrl } from '../../../shared/nft/http/answers.ts';
import type { CreateContract } from '../../../shared/nft/http/requests.ts';
import { type DeployContractDependencies, deployContract } from '../../../shared/nft/submit/deploy.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

type Dependencies = DeployContractDependencies & CallingDependencies;

export const createContractHandler =
  (dependencies: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, CreateContract>): Promise<HttpResponse> => {
    const application = await callingApplication(dependencies.applications, request.apiKeyId);
    const { base } = request.addresses;
    return answerWithKey(request, async (idempotency) => {
      const contract = await deployContract(dependencies, {
        application,
        idempotency,
        base,
        ...request.body,
      });
      return {
        status: 201,
        headers: { location: contractUrl(base, contract.address) },
        body: contractAnswer(contract),
      };
    });
  };
