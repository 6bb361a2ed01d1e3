import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { updateMetadataBatchOperation } from '../../../shared/nft/http/operations.ts';
import type { MetadataBatch } from '../../../shared/nft/http/requests.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import { type UpdateTokensDependencies, updateTokenMetadata } from '../../../shared/nft/submit/update.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { changeHandler } from '../change-handler.ts';

export const updateMetadataBatchHandler = changeHandler(
  updateMetadataBatchOperation,
  async (
    dependencies: UpdateTokensDependencies,
    update,
    { body: { from, metadata } }: HttpRequest<ContractPath, undefined, MetadataBatch>,
  ) => {
    const nfts = await updateTokenMetadata(dependencies, { ...update, from, metadata });
    return { tokens: nfts.map(nftAnswer) };
  },
);
