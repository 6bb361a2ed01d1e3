import { requireOtherOwner } from '../../../shared/nft/http/requests.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import { userTokenAnswer } from '../../../shared/nft/http/user-operations.ts';
import type { ClaimRequest } from '../../../shared/nft/http/user-requests.ts';
import { type ClaimOwnTokenDependencies, claimOwnToken } from '../../../shared/nft/reservations/claim-own.ts';
import {
  type CallingUserDependencies,
  callingUser,
} from '../../../shared/platform/applications/calling-user.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

type Dependencies = ClaimOwnTokenDependencies & CallingUserDependencies;

export const claimTokenHandler =
  ({ applications, verifyAccessToken, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<ContractPath, undefined, ClaimRequest>): Promise<HttpResponse> => {
    const { contract_address: contract } = request.path;
    const { address, id: tokenId } = request.body;
    const caller = await callingUser({ applications, verifyAccessToken }, request);
    requireOtherOwner(contract, [['address', address]]);
    const nft = await claimOwnToken(dependencies, { ...caller, contract, tokenId, address });
    return { status: 200, body: userTokenAnswer(nft) };
  };
