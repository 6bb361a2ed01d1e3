import type { Application } from '../applications/application.ts';
import { isApplicationUserSub, isInAudience } from './application-user-sub.ts';
import { UserNotFoundError } from './errors.ts';
import type { ApplicationUserSubs } from './ports/application-user-subs.ts';
import type { Users } from './ports/users.ts';
import type { User } from './user.ts';

export interface ReadUserDataDependencies {
  readonly users: Pick<Users, 'find'>;
  readonly subs: Pick<ApplicationUserSubs, 'registrationOf' | 'find'>;
}

/**
 * The user that an application calls so.
 *
 * @throws UserNotFoundError for what was never an identifier, for another application's, for a user who is
 * deleted, and for one outside the application's audience alike.
 */
export const readUserData = async (
  { users, subs }: ReadUserDataDependencies,
  {
    application,
    applicationUserSub,
  }: {
    readonly application: Pick<Application, 'id' | 'audience'>;
    readonly applicationUserSub: string;
  },
): Promise<User> => {
  if (!isApplicationUserSub(applicationUserSub)) throw new UserNotFoundError();
  const applicationId = application.id;
  const registration = await subs.registrationOf({ applicationId, applicationUserSub });
  if (registration === undefined) throw new UserNotFoundError();
  const { registrationId } = registration;
  const [user, sub] = await Promise.all([
    users.find(registration.userSub),
    application.audience === 'all' ? undefined : subs.find({ registrationId, applicationId }),
  ]);
  if (user?.registrationId !== registrationId || !isInAudience(application, sub)) {
    throw new UserNotFoundError();
  }
  return user;
};
