import type { Clock } from '../clock.ts';
import { changeTime } from '../date-time.ts';
import type { Registration } from './application-user-sub.ts';
import { UserChangedMeanwhileError } from './errors.ts';
import type { Users } from './ports/users.ts';
import { newRegistrationId } from './user.ts';

/** Concurrent writers of one user succeed in turn. So many lost rounds mean that something else is wrong. */
const attempts = 10;

export interface RemoveUserDependencies {
  readonly users: Pick<Users, 'trace' | 'bury'>;
  /** Ends the links of a registration's wallets, and deletes whose they were. */
  readonly unlink: (registration: Registration) => Promise<void>;
  readonly clock: Clock;
}

/**
 * Deletes a user's data in one write. The write also makes the publisher notify applications, and it ends the wallet
 * links, which count only for the present registration. Stored wallet data is deleted afterwards. If this call dies in
 * between, a repeated call deletes it. Works for items with unreadable data too.
 * @returns whether the user existed.
 * @throws UserChangedMeanwhileError when other writers were always faster.
 */
export const removeUser = async (
  { users, unlink, clock }: RemoveUserDependencies,
  { userSub }: { readonly userSub: string },
): Promise<boolean> => {
  for (let attempt = 1; ; attempt++) {
    const trace = await users.trace(userSub);
    if (trace === undefined) return false;
    const registrationId = trace.registrationId ?? newRegistrationId();
    if (trace.isRemoved) {
      await unlink({ userSub, registrationId });
      return false;
    }
    try {
      await users.bury({
        trace,
        registrationId,
        changedAt: changeTime({ milliseconds: clock(), previous: trace.changedAt }),
      });
      await unlink({ userSub, registrationId });
      return true;
    } catch (error) {
      if (!(error instanceof UserChangedMeanwhileError) || attempt === attempts) throw error;
    }
  }
};
