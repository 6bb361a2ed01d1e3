import { NftNotFoundError } from '../../../shared/nft/errors.ts';
import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { updateTokenMetadataOperation } from '../../../shared/nft/http/operations.ts';
import type { TokenPath } from '../../../shared/nft/http/routes.ts';
import { type UpdateTokensDependencies, updateTokenMetadata } from '../../../shared/nft/submit/update.ts';
import type { NftMetadata } from '../../../shared/nft/tokens/nft.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { changeHandler } from '../change-handler.ts';

export const updateTokenMetadataHandler = changeHandler(
  updateTokenMetadataOperation,
  async (
    dependencies: UpdateTokensDependencies,
    update,
    { path: { id }, body }: HttpRequest<TokenPath, undefined, NftMetadata>,
  ) => {
    const [nft] = await updateTokenMetadata(dependencies, { ...update, from: id, metadata: [body] });
    if (nft === undefined) throw new NftNotFoundError({ address: update.contract, tokenId: id });
    return nftAnswer(nft);
  },
);
