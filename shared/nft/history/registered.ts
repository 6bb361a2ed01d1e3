import type { Address } from '../../chain/hex.ts';
import { chunksOf } from '../../platform/chunks.ts';
import type { ApplicationUserSubs } from '../../users/ports/application-user-subs.ts';
import type { Users } from '../../users/ports/users.ts';
import { applicationUserSubOf, nobody } from '../reservations/stand-in.ts';

export interface RegisteredDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly subs: Pick<ApplicationUserSubs, 'registrationsOf'>;
}

/** How many users are looked up at once. */
const usersAtOnce = 100;

/**
 * The registrations of an application's users, by their stand-ins. Without those who have been removed, also if they have
 * registered anew since. Whether a user is in the application's audience does not matter.
 */
export const registeredOf = async (
  { subs, users }: RegisteredDependencies,
  { applicationId, standIns }: { readonly applicationId: string; readonly standIns: readonly Address[] },
): Promise<ReadonlyMap<Address, string>> => {
  const known = new Map<Address, string>();
  const possible = standIns.filter((standIn) => standIn !== nobody);
  for (const some of chunksOf(possible, usersAtOnce)) {
    const applicationUserSubs = some.map(applicationUserSubOf);
    const registrations = await subs.registrationsOf({ applicationId, applicationUserSubs });
    const userSubs = [...new Set([...registrations.values()].map(({ userSub }) => userSub))];
    const current = userSubs.length === 0 ? new Map<string, string>() : await users.registrationsOf(userSubs);
    for (const standIn of some) {
      const registration = registrations.get(applicationUserSubOf(standIn));
      if (registration !== undefined && current.get(registration.userSub) === registration.registrationId)
        known.set(standIn, registration.registrationId);
    }
  }
  return known;
};
