import type { Clock } from '../clock.ts';
import { UserChangedMeanwhileError, UserNotAsExpectedError } from './errors.ts';
import type { ApplicationUserSubs } from './ports/application-user-subs.ts';
import type { Users } from './ports/users.ts';
import { changed, newRegistrationId, type User } from './user.ts';
import type { UserDataChange } from './user-data.ts';

/** Racing writers of one user each win in turn; this many in a row lost means something else is wrong. */
const attempts = 10;

export interface PutUserDataDependencies {
  readonly users: Pick<Users, 'find' | 'save'>;
  readonly subs: Pick<ApplicationUserSubs, 'ensure'>;
  readonly clock: Clock;
}

/**
 * Registers a user or merges a change into its data. With the application through which the user does so,
 * the user is linked to it first: otherwise the publisher could see the change before the link.
 *
 * @throws UserNotAsExpectedError, UserDataTooLargeError, and UserChangedMeanwhileError when other writers kept coming first.
 */
export const putUserData = async (
  { users, subs, clock }: PutUserDataDependencies,
  {
    userSub,
    applicationId,
    change,
    isExpected = () => true,
  }: {
    readonly userSub: string;
    readonly applicationId: string | undefined;
    readonly change: UserDataChange;
    /** Whether the user may be changed as it is; asked again when it has changed meanwhile. @default always */
    readonly isExpected?: (before: User | undefined) => boolean;
  },
): Promise<User> => {
  for (let attempt = 1; ; attempt++) {
    const before = await users.find(userSub);
    if (!isExpected(before)) throw new UserNotAsExpectedError();
    const registrationId = before?.registrationId ?? newRegistrationId();
    const { user, isChanged } = changed({ userSub, before, change, registrationId, milliseconds: clock() });
    if (applicationId !== undefined)
      await subs.ensure({ registrationId, userSub, applicationId, link: true });
    if (!isChanged) return user;
    try {
      await users.save(user);
      return user;
    } catch (error) {
      if (!(error instanceof UserChangedMeanwhileError) || attempt === attempts) throw error;
    }
  }
};
