import { contractAnswer } from '../../../shared/nft/http/answers.ts';
import { updateContractMetadataOperation } from '../../../shared/nft/http/operations.ts';
import type { ContractMetadataUpdate } from '../../../shared/nft/http/requests.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import {
  type UpdateContractDependencies,
  updateContractMetadata,
} from '../../../shared/nft/submit/update.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { changeHandler } from '../change-handler.ts';

export const updateContractMetadataHandler = changeHandler(
  updateContractMetadataOperation,
  async (
    dependencies: UpdateContractDependencies,
    update,
    { body: metadata }: HttpRequest<ContractPath, undefined, ContractMetadataUpdate>,
  ) => contractAnswer(await updateContractMetadata(dependencies, { ...update, metadata })),
);
