import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { idempotencyOf } from '../../../shared/nft/http/idempotency.ts';
import { revokeToken, type UpdateTokensDependencies } from '../../../shared/nft/submit/update.ts';

export type Dependencies = UpdateTokensDependencies & {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
};

export const revokeTokenHandler =
  ({ applications, ...dependencies }: Dependencies) =>
  async (
    request: HttpRequest<{ readonly contract_address: Address; readonly id: string }, undefined, undefined>,
  ): Promise<HttpResponse> => {
    const { contract_address: contract, id: tokenId } = request.path;
    const nft = await revokeToken(dependencies, {
      application: await callingApplication(applications, request.apiKeyId),
      // The request has no body. Its path alone identifies the revocation.
      idempotency: { ...idempotencyOf(request), body: {} },
      contract,
      tokenId,
    });
    return { status: 200, body: nftAnswer(nft) };
  };
