import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { setDestinationOperation } from '../../../shared/nft/http/operations.ts';
import { type DestinationRequest, requireOtherOwner } from '../../../shared/nft/http/requests.ts';
import type { TokenPath } from '../../../shared/nft/http/routes.ts';
import { refuseStandIns } from '../../../shared/nft/reservations/refuse-stand-ins.ts';
import {
  type SetDestinationDependencies,
  setDestination,
} from '../../../shared/nft/reservations/set-destination.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { changeHandler } from '../change-handler.ts';

export const setTokenDestinationHandler = changeHandler(
  setDestinationOperation,
  async (
    dependencies: SetDestinationDependencies,
    update,
    { path, body: { destination } }: HttpRequest<TokenPath, undefined, DestinationRequest>,
  ) => {
    const destinations = [['destination', destination]] as const;
    requireOtherOwner(update.contract, destinations);
    await refuseStandIns(dependencies, { application: update.application, destinations });
    return nftAnswer(await setDestination(dependencies, { ...update, tokenId: path.id, destination }));
  },
);
