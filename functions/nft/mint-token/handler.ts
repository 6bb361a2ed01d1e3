import { askingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import { contractUrl, nftAnswer } from '../../../shared/nft/http/answers.ts';
import type { MintToken } from '../../../shared/nft/http/requests.ts';
import type { Address } from '../../../shared/nft/ports/chain.ts';
import { type Minting, mint } from '../../../shared/nft/submit/mint.ts';

export interface Dependencies extends Minting {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
  readonly publicBaseUrl: string;
}

export const mintTokenHandler =
  ({ applications, publicBaseUrl, ...minting }: Dependencies) =>
  async (
    request: HttpRequest<{ readonly contract_address: Address }, undefined, MintToken>,
  ): Promise<HttpResponse> => {
    const { contract_address: contract } = request.path;
    const nft = await mint(minting, {
      application: await askingApplication(applications, request.apiKeyId),
      method: request.method,
      path: request.resource.replace('{contract_address}', contract),
      idempotencyKey: request.header('idempotency-key'),
      body: request.body,
      contract,
    });
    return {
      status: 201,
      headers: { location: `${contractUrl(publicBaseUrl, contract)}/tokens/${nft.tokenId}` },
      body: nftAnswer(nft),
    };
  };
