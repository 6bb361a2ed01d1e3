import { NftNotFoundError } from '../../../shared/nft/errors.ts';
import { type HistoryDependencies, ownHistory } from '../../../shared/nft/history/token-history.ts';
import { historyAnswer } from '../../../shared/nft/http/history-answers.ts';
import type { TokenPath } from '../../../shared/nft/http/routes.ts';
import type { Nfts } from '../../../shared/nft/ports/nfts.ts';
import { type OwnStandInDependencies, ownStandIn } from '../../../shared/nft/reservations/claim-own.ts';
import {
  type CallingUserDependencies,
  callingUser,
} from '../../../shared/platform/applications/calling-user.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

interface Dependencies extends HistoryDependencies, OwnStandInDependencies, CallingUserDependencies {
  readonly nfts: Pick<Nfts, 'find'>;
}

export const getOwnTokenHistoryHandler =
  (dependencies: Dependencies) =>
  async (request: HttpRequest<TokenPath, undefined, undefined>): Promise<HttpResponse> => {
    const { contract_address: contract, id: tokenId } = request.path;
    const { application, userSub } = await callingUser(dependencies, request);
    const { standIn } = await ownStandIn(dependencies, { application, userSub });
    const nft = await dependencies.nfts.find({ applicationId: application.id, contract, tokenId });
    if (nft === undefined || standIn === undefined) {
      throw new NftNotFoundError({ address: contract, tokenId });
    }
    return { status: 200, body: historyAnswer(await ownHistory(dependencies, { nft, standIn })) };
  };
