import { tokenMetadata } from '../../../shared/nft/http/metadata-answers.ts';
import { findPublicToken, publicMetadataAnswer } from '../../../shared/nft/http/public-call.ts';
import type { TokenPath } from '../../../shared/nft/http/routes.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { Nfts } from '../../../shared/nft/ports/nfts.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

export interface Dependencies {
  readonly contracts: Pick<Contracts, 'findPublic'>;
  readonly nfts: Pick<Nfts, 'find'>;
}

export const getTokenMetadataHandler =
  (dependencies: Dependencies) =>
  async (request: HttpRequest<TokenPath, undefined, undefined>): Promise<HttpResponse> => {
    const nft = await findPublicToken(dependencies, request.path);
    return publicMetadataAnswer(request, tokenMetadata(nft));
  };
