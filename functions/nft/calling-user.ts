import type { Application } from '../../shared/platform/applications/application.ts';
import type { Applications } from '../../shared/platform/applications/ports/applications.ts';
import type { VerifyAccessToken } from '../../shared/platform/auth/access-token.ts';
import { ForbiddenError } from '../../shared/platform/errors.ts';
import type { HttpRequest } from '../../shared/platform/http/request.ts';

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
