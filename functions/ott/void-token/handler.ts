import type { TokenPath } from '../../../shared/nft/http/routes.ts';
import { type OwnTokenDependencies, requireOwnToken } from '../../../shared/nft/tokens/own-token.ts';
import {
  unvoidTokenOperation,
  voidTokenAnswer,
  voidTokenOperation,
} from '../../../shared/ott/http/void-operations.ts';
import type { VoidChanges } from '../../../shared/ott/ports/void-tickets.ts';
import { unvoidToken, voidToken } from '../../../shared/ott/tickets/void-token.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';

interface Dependencies extends OwnTokenDependencies, CallingDependencies {
  readonly voidChanges: VoidChanges;
  readonly clock: Clock;
}

type TokenRequest = HttpRequest<TokenPath, undefined, undefined>;

/** @throws ContractNotFoundError or NftNotFoundError if the token is not one of the calling application's tokens. */
const ownToken = async (
  { applications, ...dependencies }: Dependencies,
  { apiKeyId, path: { contract_address: address, id: tokenId } }: TokenRequest,
) => {
  const { id: applicationId } = await callingApplication(applications, apiKeyId);
  await requireOwnToken(dependencies, { applicationId, address, tokenId });
  return { contract: address, tokenId };
};

export const voidTokenHandler =
  (dependencies: Dependencies) =>
  async (request: TokenRequest): Promise<HttpResponse> => {
    const token = await voidToken(dependencies, {
      ...(await ownToken(dependencies, request)),
      by: voidTokenOperation.operationId,
    });
    return { status: 200, body: voidTokenAnswer(token) };
  };

export const unvoidTokenHandler =
  (dependencies: Dependencies) =>
  async (request: TokenRequest): Promise<HttpResponse> => {
    await unvoidToken(dependencies, {
      ...(await ownToken(dependencies, request)),
      by: unvoidTokenOperation.operationId,
    });
    return { status: 204 };
  };
