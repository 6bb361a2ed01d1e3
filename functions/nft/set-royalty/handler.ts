import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { contractAnswer } from '../../../shared/nft/http/answers.ts';
import { idempotencyOf } from '../../../shared/nft/http/idempotency.ts';
import type { RoyaltyUpdate } from '../../../shared/nft/http/requests.ts';
import { setRoyalty, type UpdateContractDependencies } from '../../../shared/nft/submit/update.ts';

export type Dependencies = UpdateContractDependencies & {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
};

export const setRoyaltyHandler =
  ({ applications, ...dependencies }: Dependencies) =>
  async (
    request: HttpRequest<{ readonly contract_address: Address }, undefined, RoyaltyUpdate>,
  ): Promise<HttpResponse> => {
    const contract = await setRoyalty(dependencies, {
      application: await callingApplication(applications, request.apiKeyId),
      idempotency: idempotencyOf(request),
      contract: request.path.contract_address,
      royalty: request.body,
    });
    return { status: 200, body: contractAnswer(contract) };
  };
