import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { idempotencyOf } from '../../../shared/nft/http/idempotency.ts';
import type { MetadataBatch } from '../../../shared/nft/http/requests.ts';
import { type UpdateTokensDependencies, updateTokenMetadata } from '../../../shared/nft/submit/update.ts';

export type Dependencies = UpdateTokensDependencies & {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
};

export const updateMetadataBatchHandler =
  ({ applications, ...dependencies }: Dependencies) =>
  async (
    request: HttpRequest<{ readonly contract_address: Address }, undefined, MetadataBatch>,
  ): Promise<HttpResponse> => {
    const nfts = await updateTokenMetadata(dependencies, {
      application: await callingApplication(applications, request.apiKeyId),
      idempotency: idempotencyOf(request),
      contract: request.path.contract_address,
      from: request.body.from,
      metadata: request.body.metadata,
    });
    return { status: 200, body: { tokens: nfts.map(nftAnswer) } };
  };
