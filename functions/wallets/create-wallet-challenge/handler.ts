import {
  type CallingUserDependencies,
  callingUser,
} from '../../../shared/platform/applications/calling-user.ts';
import { BadRequestError } from '../../../shared/platform/errors.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import {
  type CreateChallengeDependencies,
  createChallenge,
} from '../../../shared/wallets/create-challenge.ts';
import type { NewChallenge } from '../../../shared/wallets/http/requests.ts';

export type Dependencies = CreateChallengeDependencies & CallingUserDependencies;

/**
 * Creates a message only for origins that the application has configured, because a wallet shows the message's origin
 * to its owner.
 */
export const createWalletChallengeHandler =
  (dependencies: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, NewChallenge>): Promise<HttpResponse> => {
    const { application, userSub } = await callingUser(dependencies, request);
    const { address, origin } = request.body;
    if (application.wallets?.origins.includes(origin) !== true) {
      throw badOrigin('must be one of the application’s configured wallet origins');
    }
    const sender = request.header('origin');
    if (sender !== undefined && sender !== origin)
      throw badOrigin('differs from the Origin header of the request');
    const { id, message, endsAt } = await createChallenge(dependencies, {
      userSub,
      applicationName: application.name,
      address,
      origin,
    });
    return {
      status: 201,
      body: { challenge_id: id, message, expires_at: new Date(endsAt).toISOString() },
    };
  };

const badOrigin = (message: string) => new BadRequestError({ issues: [{ path: 'origin', message }] });
