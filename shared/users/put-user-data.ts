import type { Clock } from '../platform/time/clock.ts';
import { newApplicationUserSub as randomUserSub } from './application-user-sub.ts';
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
  /** @default random */
  readonly newApplicationUserSub?: () => string;
}

/**
 * Registers a user, or merges a change into the user's data. If `applicationId` is given, the user is linked to that
 * application in the write of the registration, or before a change is stored. So the link exists when the publisher
 * processes it. A refused change writes nothing.
 * @throws UserNotAsExpectedError, UserDataTooLargeError, TooManyChangesError, and UserChangedMeanwhileError when every
 * try failed because of a concurrent change.
 */
export const putUserData = async (
  {
    users,
    subs,
    clock,
    newRegistrationId = randomRegistrationId,
    newApplicationUserSub = randomUserSub,
  }: PutUserDataDependencies,
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
    const identifier =
      applicationId === undefined || before !== undefined
        ? undefined
        : { applicationId, applicationUserSub: newApplicationUserSub(), isLinked: true };
    try {
      if (applicationId !== undefined && before !== undefined) {
        const sub = await subs.ensure({ registrationId, userSub, applicationId, link: true });
        if (sub === undefined) throw new UserChangedMeanwhileError();
      }
      if (!isChanged) return user;
      await users.save(user, { ended, identifier });
      return user;
    } catch (error) {
      if (!(error instanceof UserChangedMeanwhileError) || attempt === attempts) throw error;
    }
  }
};
