import type { Clock } from '../clock.ts';
import { changeTime } from '../date-time.ts';
import type { Registration } from './application-user-sub.ts';
import { UserChangedMeanwhileError } from './errors.ts';
import type { Users } from './ports/users.ts';
import { newRegistrationId } from './user.ts';

/** Writers of the same user each come first in turn; this many in a row means something else is wrong. */
const attempts = 10;

export interface RemoveUserDependencies {
  readonly users: Pick<Users, 'trace' | 'bury'>;
  /** Ends the links of a registration's wallets, and forgets whose they were. */
  readonly unlink: (registration: Registration) => Promise<void>;
  readonly clock: Clock;
}

/**
 * Deletes a user's data in one write, which is also what its applications are told by, and which ends the links of its
 * wallets: they count for its registration only. What is kept of the wallets goes after it, and when this dies in
 * between, the next time. Also works on an item whose data cannot be read.
 *
 * @returns whether there was such a user.
 * @throws UserChangedMeanwhileError when other writers kept coming first.
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
