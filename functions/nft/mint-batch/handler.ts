import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { nftBatchAnswer } from '../../../shared/nft/http/answers.ts';
import { idempotencyOf } from '../../../shared/nft/http/idempotency.ts';
import { type MintBatch, requireOtherOwner } from '../../../shared/nft/http/requests.ts';
import { type MintDependencies, mintTokens } from '../../../shared/nft/submit/mint.ts';

export type Dependencies = MintDependencies & {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
};

export const mintBatchHandler =
  ({ applications, ...dependencies }: Dependencies) =>
  async (
    request: HttpRequest<{ readonly contract_address: Address }, undefined, MintBatch>,
  ): Promise<HttpResponse> => {
    const { contract_address: contract } = request.path;
    const { tokens } = request.body;
    requireOtherOwner(
      contract,
      tokens.map(({ destination }, index) => [`tokens[${index}].destination`, destination]),
    );
    const nfts = await mintTokens(dependencies, {
      application: await callingApplication(applications, request.apiKeyId),
      idempotency: idempotencyOf(request),
      contract,
      tokens,
    });
    return { status: 201, body: nftBatchAnswer(nfts) };
  };
