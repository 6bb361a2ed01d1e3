import {
  type CallingUserDependencies,
  callingUser,
} from '../../../shared/platform/applications/calling-user.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { UserNotFoundError } from '../../../shared/users/errors.ts';
import type { ApplicationUserSubs } from '../../../shared/users/ports/application-user-subs.ts';
import type { Users } from '../../../shared/users/ports/users.ts';

export interface Dependencies extends CallingUserDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly subs: Pick<ApplicationUserSubs, 'ensure'>;
}

/** Returns the user's identifier for only one application: the one to which the token's client belongs. */
export const getApplicationUserSubHandler =
  ({ users, subs, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, undefined>): Promise<HttpResponse> => {
    const { application, userSub } = await callingUser(dependencies, request);
    const registrationId = (await users.registrationsOf([userSub])).get(userSub);
    if (registrationId === undefined) throw new UserNotFoundError();
    const sub = await subs.ensure({
      registrationId,
      userSub,
      applicationId: application.id,
      link: true,
    });
    if (sub === undefined) throw new UserNotFoundError();
    return { status: 200, body: { application_user_sub: sub.applicationUserSub } };
  };
