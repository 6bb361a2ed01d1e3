import type { Clock } from '../platform/clock.ts';
import { changeTime } from '../platform/date-time.ts';
import { UserChangedMeanwhileError } from './errors.ts';
import type { Users } from './ports/users.ts';
import { newRegistrationId } from './user.ts';

/**
 * The maximum number of times that a write is tried. It is tried again only if another request changed the same items
 * first. If that happens this often, something else must be wrong.
 */
const attempts = 10;

export interface RemoveUserDependencies {
  readonly users: Pick<Users, 'trace' | 'bury'>;
  /** Unlinks the wallets of a user's former registrations, and deletes the stored list of these wallets. */
  readonly unlink: (userSub: string) => Promise<void>;
  readonly clock: Clock;
}

/**
 * Deletes a user in two steps, even if the stored data is unreadable:
 * 1. One write deletes the user's data, makes the publisher notify applications, and ends the registration. The user's
 *    wallet links and challenges are valid only for this registration.
 * 2. The stored wallet data is deleted. If this call dies before that, a repeated call deletes the wallet data,
 *    even if the user has registered again since.
 * @returns whether the user existed.
 * @throws UserChangedMeanwhileError when every try failed because of a concurrent change.
 */
export const removeUser = async (
  { users, unlink, clock }: RemoveUserDependencies,
  { userSub }: { readonly userSub: string },
): Promise<boolean> => {
  for (let attempt = 1; ; attempt++) {
    const trace = await users.trace(userSub);
    if (trace === undefined || trace.isRemoved) {
      await unlink(userSub);
      return false;
    }
    try {
      await users.bury({
        trace,
        registrationId: trace.registrationId ?? newRegistrationId(),
        changedAt: changeTime({ milliseconds: clock(), previous: trace.changedAt }),
      });
      await unlink(userSub);
      return true;
    } catch (error) {
      if (!(error instanceof UserChangedMeanwhileError) || attempt === attempts) throw error;
    }
  }
};
