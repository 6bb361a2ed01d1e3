import { askingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import { contractAnswer, contractUrl } from '../../../shared/nft/http/answers.ts';
import type { CreateContract } from '../../../shared/nft/http/requests.ts';
import { type Deploying, deploy } from '../../../shared/nft/submit/deploy.ts';

export interface Dependencies extends Deploying {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
}

export const createContractHandler =
  ({ applications, ...deploying }: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, CreateContract>): Promise<HttpResponse> => {
    const contract = await deploy(deploying, {
      application: await askingApplication(applications, request.apiKeyId),
      method: request.method,
      path: request.resource,
      idempotencyKey: request.header('idempotency-key'),
      body: request.body,
    });
    return {
      status: 201,
      headers: { location: contractUrl(deploying.publicBaseUrl, contract.address) },
      body: contractAnswer(contract),
    };
  };
