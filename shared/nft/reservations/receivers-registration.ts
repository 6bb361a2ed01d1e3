import type { ApplicationUserSubs } from '../../users/ports/application-user-subs.ts';
import type { Users } from '../../users/ports/users.ts';
import type { Nft } from '../tokens/nft.ts';
import { applicationUserSubOf, nobody } from './stand-in.ts';

export interface ReceiversRegistrationDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly subs: Pick<ApplicationUserSubs, 'registrationsOf'>;
}

/**
 * The registration of the user for whom a token is reserved, also if the user is not in the application's audience any
 * more. `undefined` if the user has been removed.
 */
export const receiversRegistration = async (
  { users, subs }: ReceiversRegistrationDependencies,
  { applicationId, reservedFor = nobody }: Pick<Nft, 'applicationId' | 'reservedFor'>,
): Promise<string | undefined> => {
  if (reservedFor === nobody) return undefined;
  const sub = applicationUserSubOf(reservedFor);
  const found = await subs.registrationsOf({ applicationId, applicationUserSubs: [sub] });
  const registration = found.get(sub);
  if (registration === undefined) return undefined;
  const { userSub, registrationId } = registration;
  const present = (await users.registrationsOf([userSub])).get(userSub);
  return present === registrationId ? registrationId : undefined;
};
