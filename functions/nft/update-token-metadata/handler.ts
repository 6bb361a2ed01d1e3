import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { NftMetadata } from '../../../shared/nft/collection/nft.ts';
import { NftNotFoundError } from '../../../shared/nft/errors.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { idempotencyOf } from '../../../shared/nft/http/idempotency.ts';
import { type UpdateTokensDependencies, updateTokenMetadata } from '../../../shared/nft/submit/update.ts';

export type Dependencies = UpdateTokensDependencies & {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
};

export const updateTokenMetadataHandler =
  ({ applications, ...dependencies }: Dependencies) =>
  async (
    request: HttpRequest<{ readonly contract_address: Address; readonly id: string }, undefined, NftMetadata>,
  ): Promise<HttpResponse> => {
    const [nft] = await updateTokenMetadata(dependencies, {
      application: await callingApplication(applications, request.apiKeyId),
      idempotency: idempotencyOf(request),
      contract: request.path.contract_address,
      from: request.path.id,
      metadata: [request.body],
    });
    const { contract_address: address, id: tokenId } = request.path;
    if (nft === undefined) throw new NftNotFoundError({ address, tokenId });
    return { status: 200, body: nftAnswer(nft) };
  };
