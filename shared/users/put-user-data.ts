import type { Clock } from '../platform/clock.ts';
import { UserChangedMeanwhileError, UserNotAsExpectedError } from './errors.ts';
import type { ApplicationUserSubs } from './ports/application-user-subs.ts';
import type { Users } from './ports/users.ts';
import { changed, newRegistrationId as randomRegistrationId, type User } from './user.ts';
import type { UserDataChange } from './user-data.ts';

/**
 * The maximum number of times that a write is tried. It is tried again only if another request changed the same items
 * first. If that happens this often, something else must be wrong.
 */
const attempts = 10;

export interface PutUserDataDependencies {
  readonly users: Pick<Users, 'latest' | 'save'>;
  readonly subs: Pick<ApplicationUserSubs, 'ensure'>;
  readonly clock: Clock;
  /** @default random */
  readonly newRegistrationId?: () => string;
}

/**
 * Registers a user, or merges a change into the user's data. If `applicationId` is given, the user is linked to that
 * application before the change is stored, so that the link exists when the publisher processes the change.
 * A refused change writes nothing.
 * @throws UserNotAsExpectedError, UserDataTooLargeError, TooManyChangesError, and UserChangedMeanwhileError when every try failed because of
 * a concurrent change.
 */
export const putUserData = async (
  { users, subs, clock, newRegistrationId = randomRegistrationId }: PutUserDataDependencies,
  {
    userSub,
    applicationId,
    change,
    changesPerHour,
    isExpected = () => true,
  }: {
    readonly userSub: string;
    readonly applicationId: string | undefined;
    readonly change: UserDataChange;
    /** How many changes the user can make in an hour. @default no limit, and the change is not counted */
    readonly changesPerHour?: number | undefined;
    /**
     * Whether the change is allowed in the user's present state. Called again after a concurrent change. @default
     * always
     */
    readonly isExpected?: (before: User | undefined) => boolean;
  },
): Promise<User> => {
  for (let attempt = 1; ; attempt++) {
    const { user: before, ended, counts } = await users.latest(userSub);
    if (!isExpected(before)) throw new UserNotAsExpectedError();
    const registrationId = before?.registrationId ?? newRegistrationId();
    const { user, isChanged } = changed({
      userSub,
      before,
      counts,
      change,
      registrationId,
      milliseconds: clock(),
      changesPerHour,
    });
    try {
      if (applicationId !== undefined) {
        const sub = await subs.ensure({ registrationId, userSub, applicationId, link: true });
        if (sub === undefined) throw new UserChangedMeanwhileError();
      }
      if (!isChanged) return user;
      await users.save(user, { ended });
      return user;
    } catch (error) {
      if (!(error instanceof UserChangedMeanwhileError) || attempt === attempts) throw error;
    }
  }
};
