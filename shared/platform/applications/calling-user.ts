import type { VerifyAccessToken } from '../auth/access-token.ts';
import { ForbiddenError } from '../errors.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Application } from './application.ts';
import type { Applications } from './ports/applications.ts';

export interface CallingUserDependencies {
  readonly applications: Pick<Applications, 'findByClientId'>;
  readonly verifyAccessToken: VerifyAccessToken;
}

/** The user of the access token, and the application of its client. @throws UnauthorizedError, ForbiddenError */
export const callingUser = async (
  { applications, verifyAccessToken }: CallingUserDependencies,
  { header }: Pick<HttpRequest<unknown, unknown, unknown>, 'header'>,
): Promise<{ readonly application: Application; readonly userSub: string }> => {
  const { sub: userSub, clientId } = await verifyAccessToken(header('authorization'));
  const application = clientId === undefined ? undefined : await applications.findByClientId(clientId);
  if (application === undefined) {
    throw new ForbiddenError({ message: `Client ${clientId ?? '(none)'} belongs to no application` });
  }
  return { application, userSub };
};
