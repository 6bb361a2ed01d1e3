import { ContractNotFoundError } from '../../../shared/nft/errors.ts';
import { contractUrl, nftAnswer } from '../../../shared/nft/http/answers.ts';
import type { ListTokensQuery } from '../../../shared/nft/http/read-requests.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { NftFilter, Nfts } from '../../../shared/nft/ports/nfts.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import { pageAnswer } from '../../../shared/platform/http/page-answer.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

interface Dependencies extends CallingDependencies {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'list'>;
  readonly readCursorSecret: () => Promise<string>;
}

export const listTokensHandler =
  ({ applications, contracts, nfts, readCursorSecret }: Dependencies) =>
  async ({
    apiKeyId,
    path: { contract_address: contract },
    query: { limit, cursor, ...filters },
    addresses,
  }: HttpRequest<ContractPath, ListTokensQuery, undefined>): Promise<HttpResponse> => {
    const [{ id: applicationId }, secret] = await Promise.all([
      callingApplication(applications, apiKeyId),
      readCursorSecret(),
    ]);
    return pageAnswer({
      query: { limit, cursor },
      filters,
      scope: { list: 'nft-tokens', filters: { application: applicationId, contract } },
      secret,
      url: `${contractUrl(addresses.base, contract)}/tokens/`,
      read: async (page) => {
        const found = await nfts.list({
          applicationId,
          contract,
          // A filter that the list does not know does not compile.
          ...(filters satisfies Pick<NftFilter, keyof typeof filters>),
          ...page,
        });
        // A list with tokens proves that the contract exists, so the contract is read only for an empty list.
        if (
          found.items.length === 0 &&
          (await contracts.find({ applicationId, address: contract })) === undefined
        ) {
          throw new ContractNotFoundError({ address: contract });
        }
        return found;
      },
      present: nftAnswer,
    });
  };
