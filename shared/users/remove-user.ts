import type { Clock } from '../platform/time/clock.ts';
import { changeTime } from '../platform/time/date-time.ts';
import { UserChangedMeanwhileError } from './errors.ts';
import type { Users } from './ports/users.ts';
import { erasureCountedIn, newRegistrationId } from './user.ts';

/**
 * The maximum number of times that a write is tried. It is tried again only if another request changed the same items
 * first. If that happens this often, something else must be wrong.
 */
const attempts = 10;

export interface RemoveUserDependencies {
  readonly users: Pick<Users, 'trace' | 'bury'>;
  readonly clock: Clock;
}

/**
 * Deletes a user, even if the stored data is unreadable. One write deletes the user's data, makes the publisher notify
 * applications, and ends the registration. The user's wallets and tickets are valid only for this registration. What
 * other areas store of it is deleted by the function that reads the ended registrations from the table's stream.
 * @returns whether the user existed.
 * @throws TooManyErasuresError, and UserChangedMeanwhileError when every try failed because of a concurrent change.
 */
export const removeUser = async (
  { users, clock }: RemoveUserDependencies,
  {
    userSub,
    erasuresPerDay,
  }: {
    readonly userSub: string;
    /** How often the user can do this in a day. @default no limit, and this time is not counted */
    readonly erasuresPerDay?: number | undefined;
  },
): Promise<boolean> => {
  for (let attempt = 1; ; attempt++) {
    const trace = await users.trace(userSub);
    if (trace === undefined || trace.isRemoved) return false;
    const { registrationId = newRegistrationId(), changedAt: previous, hour, day } = trace;
    const milliseconds = clock();
    const counts = {
      hour,
      day:
        erasuresPerDay === undefined ? day : erasureCountedIn(day, { milliseconds, limit: erasuresPerDay }),
    };
    try {
      await users.bury({ trace, registrationId, changedAt: changeTime({ milliseconds, previous }), counts });
      return true;
    } catch (error) {
      if (!(error instanceof UserChangedMeanwhileError) || attempt === attempts) throw error;
    }
  }
};
