import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { revokeTokenOperation } from '../../../shared/nft/http/operations.ts';
import type { TokenPath } from '../../../shared/nft/http/routes.ts';
import { revokeToken, type UpdateTokensDependencies } from '../../../shared/nft/submit/update.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { changeHandler } from '../change-handler.ts';

export const revokeTokenHandler = changeHandler(
  revokeTokenOperation,
  async (
    dependencies: UpdateTokensDependencies,
    update,
    { path }: HttpRequest<TokenPath, undefined, undefined>,
  ) => nftAnswer(await revokeToken(dependencies, { ...update, tokenId: path.id })),
);
