import type { Application } from '../platform/applications/application.ts';
import { isApplicationUserSub } from './application-user-sub.ts';
import { UserNotFoundError } from './errors.ts';
import type { Users } from './ports/users.ts';
import { type ReadableUsersDependencies, readableUsers } from './readable-users.ts';

export interface RequireRegistrationsDependencies extends ReadableUsersDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
}

/**
 * The registration ids of at most 100 users, by the application's identifiers. Reads nothing else about the users.
 * @throws UserNotFoundError if `readUserData` would throw it for one of the identifiers.
 */
export const requireRegistrations = async (
  { users, ...dependencies }: RequireRegistrationsDependencies,
  {
    application,
    applicationUserSubs,
  }: {
    readonly application: Pick<Application, 'id' | 'audience'>;
    readonly applicationUserSubs: readonly string[];
  },
): Promise<ReadonlyMap<string, string>> => {
  const asked = [...new Set(applicationUserSubs)];
  if (!asked.every(isApplicationUserSub)) throw new UserNotFoundError();
  const found = await readableUsers(
    dependencies,
    { application, applicationUserSubs: asked },
    {
      find: (userSubs) => users.registrationsOf(userSubs),
      registrationIdOf: (registrationId) => registrationId,
    },
  );
  if (found.size < asked.length) throw new UserNotFoundError();
  return found;
};
