import type { Application } from '../platform/applications/application.ts';
import { isApplicationUserSub } from './application-user-sub.ts';
import { isInAudience } from './audience.ts';
import { UserNotFoundError } from './errors.ts';
import type { ApplicationUserSubs } from './ports/application-user-subs.ts';
import type { Users } from './ports/users.ts';
import type { User } from './user.ts';

export interface ReadUserDataDependencies {
  readonly users: Pick<Users, 'find'>;
  readonly subs: Pick<ApplicationUserSubs, 'registrationOf' | 'find'>;
}

/**
 * @throws UserNotFoundError if the identifier is unknown or belongs to another application, or if the user is deleted
 * or outside of the application's audience. The caller cannot distinguish these cases.
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
