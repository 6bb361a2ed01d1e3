import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import { ForbiddenError } from '../../../shared/platform/errors.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { UserNotFoundError } from '../../../shared/users/errors.ts';
import type { ApplicationUserSubs } from '../../../shared/users/ports/application-user-subs.ts';
import type { Users } from '../../../shared/users/ports/users.ts';

export interface Dependencies {
  readonly applications: Pick<Applications, 'findByClientId'>;
  readonly users: Pick<Users, 'find'>;
  readonly subs: Pick<ApplicationUserSubs, 'ensure'>;
  readonly verifyAccessToken: VerifyAccessToken;
}

/** Returns the user's identifier for only one application: the one to which the token's client belongs. */
export const getApplicationUserSubHandler =
  ({ applications, users, subs, verifyAccessToken }: Dependencies) =>
  async ({ header }: HttpRequest<undefined, undefined, undefined>): Promise<HttpResponse> => {
    const { sub, clientId } = await verifyAccessToken(header('authorization'));
    const application = clientId === undefined ? undefined : await applications.findByClientId(clientId);
    if (application === undefined) {
      throw new ForbiddenError({ message: `Client ${clientId ?? '(none)'} belongs to no application` });
    }
    const user = await users.find(sub);
    if (user === undefined) throw new UserNotFoundError();
    const { applicationUserSub } = await subs.ensure({
      registrationId: user.registrationId,
      userSub: sub,
      applicationId: application.id,
      link: true,
    });
    return { status: 200, body: { application_user_sub: applicationUserSub } };
  };
