import type { Application } from '../platform/applications/application.ts';
import { isInAudience } from './audience.ts';
import type { ApplicationUserSubs } from './ports/application-user-subs.ts';

export interface ReadableUsersDependencies {
  readonly subs: Pick<ApplicationUserSubs, 'registrationsOf' | 'findMany'>;
}

/** What to read of users, and the registration that it belongs to. */
interface Reading<Found> {
  readonly find: (userSubs: readonly string[]) => Promise<ReadonlyMap<string, Found>>;
  readonly registrationIdOf: (found: Found) => string;
}

/**
 * Reads something of several users, by their identifiers in the application. A user is left out if `readUserData` would
 * throw UserNotFoundError for the identifier. `applicationUserSubs` must be unique and have the form of identifiers.
 */
export const readableUsers = async <Found>(
  { subs }: ReadableUsersDependencies,
  {
    application,
    applicationUserSubs,
  }: {
    readonly application: Pick<Application, 'id' | 'audience'>;
    readonly applicationUserSubs: readonly string[];
  },
  { find, registrationIdOf }: Reading<Found>,
): Promise<ReadonlyMap<string, Found>> => {
  const applicationId = application.id;
  const registrations = await subs.registrationsOf({ applicationId, applicationUserSubs });
  const whose = [...registrations.values()];
  const [users, own] = await Promise.all([
    find([...new Set(whose.map(({ userSub }) => userSub))]),
    application.audience === 'all'
      ? undefined
      : subs.findMany({ registrationIds: whose.map(({ registrationId }) => registrationId), applicationId }),
  ]);
  return new Map(
    [...registrations].flatMap(([applicationUserSub, { userSub, registrationId }]) => {
      const found = users.get(userSub);
      const isReadable =
        found !== undefined &&
        registrationIdOf(found) === registrationId &&
        isInAudience(application, own?.get(registrationId));
      return isReadable ? [[applicationUserSub, found]] : [];
    }),
  );
};
