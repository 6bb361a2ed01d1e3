import { UserNotFoundError } from '../users/errors.ts';
import type { Users } from '../users/ports/users.ts';

/** @throws UserNotFoundError */
export const registrationOf = async (
  { users }: { readonly users: Pick<Users, 'registrationsOf'> },
  userSub: string,
): Promise<string> => {
  const registrationId = (await users.registrationsOf([userSub])).get(userSub);
  if (registrationId === undefined) throw new UserNotFoundError();
  return registrationId;
};
