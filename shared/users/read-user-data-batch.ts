import type { Application } from '../platform/applications/application.ts';
import { isApplicationUserSub, isInAudience } from './application-user-sub.ts';
import type { ApplicationUserSubs } from './ports/application-user-subs.ts';
import type { Users } from './ports/users.ts';
import type { User } from './user.ts';

export interface ReadUserDataBatchDependencies {
  readonly users: Pick<Users, 'findMany'>;
  readonly subs: Pick<ApplicationUserSubs, 'registrationsOf' | 'findMany'>;
}

/**
 * Reads several users by their identifiers in the application. A user is left out if `readUserData` would throw
 * UserNotFoundError for the identifier.
 */
export const readUserDataBatch = async (
  { users, subs }: ReadUserDataBatchDependencies,
  {
    application,
    applicationUserSubs,
  }: {
    readonly application: Pick<Application, 'id' | 'audience'>;
    readonly applicationUserSubs: readonly string[];
  },
): Promise<ReadonlyMap<string, User>> => {
  const applicationId = application.id;
  const registrations = await subs.registrationsOf({
    applicationId,
    applicationUserSubs: [...new Set(applicationUserSubs)].filter(isApplicationUserSub),
  });
  const whose = [...registrations.values()];
  const [found, own] = await Promise.all([
    users.findMany([...new Set(whose.map(({ userSub }) => userSub))]),
    application.audience === 'all'
      ? undefined
      : subs.findMany({ registrationIds: whose.map(({ registrationId }) => registrationId), applicationId }),
  ]);
  return new Map(
    [...registrations].flatMap(([applicationUserSub, { userSub, registrationId }]) => {
      const user = found.get(userSub);
      const isReadable =
        user?.registrationId === registrationId && isInAudience(application, own?.get(registrationId));
      return isReadable ? [[applicationUserSub, user]] : [];
    }),
  );
};
