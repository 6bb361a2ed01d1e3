import { callingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import { ContractNotFoundError, NftNotFoundError } from '../../../shared/nft/errors.ts';
import type { Address } from '../../../shared/nft/hex.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { Nfts } from '../../../shared/nft/ports/nfts.ts';
import { voidTokenAnswer } from '../../../shared/ott/http/void-operations.ts';
import type { VoidTickets } from '../../../shared/ott/ports/void-tickets.ts';
import { voidToken } from '../../../shared/ott/void-token.ts';

export interface Dependencies {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'find'>;
  readonly voidTickets: Pick<VoidTickets, 'add' | 'remove'>;
  readonly clock: Clock;
}

type TokenRequest = HttpRequest<
  { readonly contract_address: Address; readonly id: string },
  undefined,
  undefined
>;

/** @throws ContractNotFoundError, NftNotFoundError for a token that is not the caller's own. */
const ownToken = async (
  { applications, contracts, nfts }: Dependencies,
  { apiKeyId, path: { contract_address: address, id: tokenId } }: TokenRequest,
) => {
  const { id: application } = await callingApplication(applications, apiKeyId);
  if ((await nfts.find({ application, contract: address, tokenId })) !== undefined) {
    return { contract: address, tokenId };
  }
  if ((await contracts.find({ application, address })) === undefined) {
    throw new ContractNotFoundError({ address });
  }
  throw new NftNotFoundError({ address, tokenId });
};

export const voidTokenHandler =
  (dependencies: Dependencies) =>
  async (request: TokenRequest): Promise<HttpResponse> => {
    const token = await voidToken(dependencies, await ownToken(dependencies, request));
    return { status: 200, body: voidTokenAnswer(token) };
  };

export const unvoidTokenHandler =
  (dependencies: Dependencies) =>
  async (request: TokenRequest): Promise<HttpResponse> => {
    await dependencies.voidTickets.remove(await ownToken(dependencies, request));
    return { status: 204 };
  };
