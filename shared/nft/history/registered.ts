import type { Address } from '../../chain/hex.ts';
import type { ApplicationUserSubs } from '../../users/ports/application-user-subs.ts';
import type { Users } from '../../users/ports/users.ts';
import { applicationUserSubOf } from '../reservations/stand-in.ts';

export interface RegisteredDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly subs: Pick<ApplicationUserSubs, 'registrationsOf'>;
}

/** How many users are looked up at once. */
const usersAtOnce = 100;

/** Those of an application's users, by their stand-ins, who are registered, and have not registered anew since. */
export const registeredOf = async (
  { subs, users }: RegisteredDependencies,
  { applicationId, standIns }: { readonly applicationId: string; readonly standIns: readonly Address[] },
): Promise<ReadonlySet<Address>> => {
  const known = new Set<Address>();
  for (let first = 0; first < standIns.length; first += usersAtOnce) {
    const some = standIns.slice(first, first + usersAtOnce);
    const applicationUserSubs = some.map(applicationUserSubOf);
    const registrations = await subs.registrationsOf({ applicationId, applicationUserSubs });
    const userSubs = [...new Set([...registrations.values()].map(({ userSub }) => userSub))];
    const current = userSubs.length === 0 ? new Map<string, string>() : await users.registrationsOf(userSubs);
    for (const standIn of some) {
      const registration = registrations.get(applicationUserSubOf(standIn));
      if (registration !== undefined && current.get(registration.userSub) === registration.registrationId)
        known.add(standIn);
    }
  }
  return known;
};
