import type { Application } from '../platform/applications/application.ts';
import { isApplicationUserSub } from './application-user-sub.ts';
import type { UnreadableUser, Users } from './ports/users.ts';
import { type ReadableUsersDependencies, readableUsers } from './readable-users.ts';
import type { User } from './user.ts';

export interface ReadUserDataBatchDependencies extends ReadableUsersDependencies {
  readonly users: Pick<Users, 'findMany'>;
}

/**
 * Reads several users by their identifiers in the application. A user is left out if `readUserData` would throw
 * UserNotFoundError for the identifier, and is an `UnreadableUser` if `readUserData` would fail.
 */
export const readUserDataBatch = async (
  { users, ...dependencies }: ReadUserDataBatchDependencies,
  {
    application,
    applicationUserSubs,
  }: {
    readonly application: Pick<Application, 'id' | 'audience'>;
    readonly applicationUserSubs: readonly string[];
  },
): Promise<ReadonlyMap<string, User | UnreadableUser>> => {
  const asked = [...new Set(applicationUserSubs)].filter(isApplicationUserSub);
  return readableUsers(
    dependencies,
    { application, applicationUserSubs: asked },
    {
      find: (userSubs) => users.findMany(userSubs),
      registrationIdOf: ({ registrationId }) => registrationId,
    },
  );
};
