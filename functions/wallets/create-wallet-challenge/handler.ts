import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import { BadRequestError, ForbiddenError } from '../../../shared/platform/errors.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import {
  type CreateChallengeDependencies,
  createChallenge,
} from '../../../shared/wallets/create-challenge.ts';
import type { NewChallenge } from '../../../shared/wallets/http/operations.ts';

export interface Dependencies extends CreateChallengeDependencies {
  readonly applications: Pick<Applications, 'findByClientId'>;
  readonly verifyAccessToken: VerifyAccessToken;
}

/**
 * Creates a message only for origins that the application has configured, because a wallet shows the message's origin
 * to its owner.
 */
export const createWalletChallengeHandler =
  ({ applications, verifyAccessToken, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, NewChallenge>): Promise<HttpResponse> => {
    const { sub, clientId } = await verifyAccessToken(request.header('authorization'));
    const application = clientId === undefined ? undefined : await applications.findByClientId(clientId);
    if (application === undefined) {
      throw new ForbiddenError({ message: `Client ${clientId ?? '(none)'} belongs to no application` });
    }
    const { address, origin } = request.body;
    if (application.wallets?.origins.includes(origin) !== true) {
      throw badOrigin('must be one of the application’s configured wallet origins');
    }
    const sender = request.header('origin');
    if (sender !== undefined && sender !== origin)
      throw badOrigin('differs from the Origin header of the request');
    const { id, message, endsAt } = await createChallenge(dependencies, {
      userSub: sub,
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
