import { contractAnswer } from '../../../shared/nft/http/answers.ts';
import { setRoyaltyOperation } from '../../../shared/nft/http/operations.ts';
import type { RoyaltyUpdate } from '../../../shared/nft/http/requests.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import { setRoyalty, type UpdateContractDependencies } from '../../../shared/nft/submit/update.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { changeHandler } from '../change-handler.ts';

export const setRoyaltyHandler = changeHandler(
  setRoyaltyOperation,
  async (
    dependencies: UpdateContractDependencies,
    update,
    { body: royalty }: HttpRequest<ContractPath, undefined, RoyaltyUpdate>,
  ) => contractAnswer(await setRoyalty(dependencies, { ...update, royalty })),
);
