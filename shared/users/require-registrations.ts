import type { Application } from '../platform/applications/application.ts';
import { isApplicationUserSub, isInAudience } from './application-user-sub.ts';
import { UserNotFoundError } from './errors.ts';
import type { ApplicationUserSubs } from './ports/application-user-subs.ts';
import type { Users } from './ports/users.ts';

export interface RequireRegistrationsDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly subs: Pick<ApplicationUserSubs, 'registrationsOf' | 'findMany'>;
}

/**
 * The registration ids of at most 100 users, by the application's identifiers. Reads nothing else about the users.
 * @throws UserNotFoundError if `readUserData` would throw it for one of the identifiers.
 */
export const requireRegistrations = async (
  { users, subs }: RequireRegistrationsDependencies,
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
  const applicationId = application.id;
  const known = await subs.registrationsOf({ applicationId, applicationUserSubs: asked });
  const whose = [...known.values()];
  const [registered, own] = await Promise.all([
    users.registrationsOf([...new Set(whose.map(({ userSub }) => userSub))]),
    application.audience === 'all'
      ? undefined
      : subs.findMany({ registrationIds: whose.map(({ registrationId }) => registrationId), applicationId }),
  ]);
  return new Map(
    asked.map((sub) => {
      const { userSub, registrationId } = known.get(sub) ?? {};
      const isFound =
        userSub !== undefined &&
        registrationId !== undefined &&
        registered.get(userSub) === registrationId &&
        isInAudience(application, own?.get(registrationId));
      if (!isFound) throw new UserNotFoundError();
      return [sub, registrationId];
    }),
  );
};
