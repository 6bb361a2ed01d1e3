import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import { ContractNotFoundError } from '../../../shared/nft/errors.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { contractAnswer } from '../../../shared/nft/http/answers.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';

export interface Dependencies {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
  readonly contracts: Pick<Contracts, 'find'>;
}

export const getContractHandler =
  ({ applications, contracts }: Dependencies) =>
  async ({
    apiKeyId,
    path: { contract_address: address },
  }: HttpRequest<{ readonly contract_address: Address }, undefined, undefined>): Promise<HttpResponse> => {
    const { id: application } = await callingApplication(applications, apiKeyId);
    const contract = await contracts.find({ application, address });
    if (contract === undefined) throw new ContractNotFoundError({ address });
    return { status: 200, body: contractAnswer(contract) };
  };
