import { ContractNotFoundError } from '../../../shared/nft/errors.ts';
import { contractAnswer } from '../../../shared/nft/http/answers.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

interface Dependencies extends CallingDependencies {
  readonly contracts: Pick<Contracts, 'find'>;
}

export const getContractHandler =
  ({ applications, contracts }: Dependencies) =>
  async ({
    apiKeyId,
    path: { contract_address: address },
  }: HttpRequest<ContractPath, undefined, undefined>): Promise<HttpResponse> => {
    const { id: applicationId } = await callingApplication(applications, apiKeyId);
    const contract = await contracts.find({ applicationId, address });
    if (contract === undefined) throw new ContractNotFoundError({ address });
    return { status: 200, body: contractAnswer(contract) };
  };
