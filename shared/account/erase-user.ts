import type { AccessToken } from '../platform/auth/access-token.ts';
import { type RemoveUserDependencies, removeUser } from '../users/remove-user.ts';
import { requireFreshLogin } from './fresh-login.ts';

export interface EraseUserDependencies extends RemoveUserDependencies {
  readonly withoutAuthTime: 'refused' | 'allowed';
}

/** How often a user can erase the account in a day. Each erasure notifies every application. */
export const erasuresPerDay = 2;

/**
 * Deletes the user of an access token. Does nothing if the user is not registered, so that a call whose response was lost
 * can be repeated.
 * @throws InsufficientUserAuthenticationError, TooManyErasuresError, UserChangedMeanwhileError
 */
export const eraseUser = async (
  { withoutAuthTime, ...dependencies }: EraseUserDependencies,
  { token }: { readonly token: AccessToken },
): Promise<void> => {
  requireFreshLogin(token, { now: dependencies.clock(), withoutAuthTime });
  await removeUser(dependencies, { userSub: token.sub, erasuresPerDay });
};
