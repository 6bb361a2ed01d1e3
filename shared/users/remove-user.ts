import type { Clock } from '../clock.ts';
import { changeTime } from '../date-time.ts';
import { UserChangedMeanwhileError } from './errors.ts';
import type { Users } from './ports/users.ts';
import { newRegistrationId } from './user.ts';

/** Writers of the same user each come first in turn; this many in a row means something else is wrong. */
const attempts = 10;

export interface RemoveUserDependencies {
  readonly users: Pick<Users, 'trace' | 'bury'>;
  readonly clock: Clock;
}

/**
 * Deletes a user's data in one write, which is also what its applications are told by: dying before or after it
 * leaves nothing half done. Also works on an item whose data cannot be read.
 *
 * @returns whether there was such a user.
 * @throws UserChangedMeanwhileError when other writers kept coming first.
 */
export const removeUser = async (
  { users, clock }: RemoveUserDependencies,
  { userSub }: { readonly userSub: string },
): Promise<boolean> => {
  for (let attempt = 1; ; attempt++) {
    const trace = await users.trace(userSub);
    if (trace === undefined || trace.isRemoved) return false;
    try {
      await users.bury({
        trace,
        registrationId: trace.registrationId ?? newRegistrationId(),
        changedAt: changeTime({ milliseconds: clock(), previous: trace.changedAt }),
      });
      return true;
    } catch (error) {
      if (!(error instanceof UserChangedMeanwhileError) || attempt === attempts) throw error;
    }
  }
};
