import type { ApplicationUserSub } from '../application-user-sub.ts';
import type { EndedRegistration, User, UserChange, UserCounts } from '../user.ts';

/** The readable part of a stored user. It exists even if the user's data is unreadable or the user is deleted. */
export interface UserTrace extends UserCounts {
  readonly userSub: string;
  readonly registrationId: string | undefined;
  readonly version: number | undefined;
  readonly changedAt: string | undefined;
  readonly isRemoved: boolean;
}

/** A registered user whose stored data is unreadable. */
export interface UnreadableUser {
  readonly userSub: string;
  readonly registrationId: string;
  readonly isUnreadable: true;
}

/** What is stored for a user. Without a user, `ended` is the registration that was deleted last. */
export type StoredUser =
  | { readonly user: User; readonly ended: undefined; readonly counts?: undefined }
  /**
   * `ended` is absent if the user never was registered, or was deleted so long ago that this is forgotten. `counts` are
   * those that the registration has left.
   */
  | { readonly user: undefined; readonly ended: string | undefined; readonly counts?: UserCounts };

/** Registered users. Reads are strongly consistent and do not return deleted users. */
export interface Users {
  find(userSub: string): Promise<User | undefined>;
  latest(userSub: string): Promise<StoredUser>;
  /**
   * Finds at most 100 different users. The map's keys are the users' `userSub`. `find` throws for a user whose stored
   * data is unreadable; here, such a user hides no other.
   */
  findMany(userSubs: readonly string[]): Promise<ReadonlyMap<string, User | UnreadableUser>>;
  /** The registration ids of at most 100 different users, by `userSub`. Users who are not registered are left out. */
  registrationsOf(userSubs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Stores a user. Version 1 requires that the user does not exist, and that no other registration has ended since
   * `ended` was read. Any other version requires that the stored version is exactly one lower. The same write stores the
   * `identifier` that an application gets for a registration, so that there is none for a registration that never began.
   * @throws UserChangedMeanwhileError
   */
  save(
    user: User,
    before: Pick<StoredUser, 'ended'> & { readonly identifier?: ApplicationUserSub | undefined },
  ): Promise<void>;
  /** The last change to a user. For a deleted user this is the deletion, until the tombstone expires. */
  lastChange(userSub: string): Promise<UserChange | undefined>;
  /**
   * The `lastChange` of every user who changed at or after `dateTime`, in no particular order. Reads the whole table.
   */
  changedSince(dateTime: string): AsyncIterable<UserChange>;
  /**
   * The registrations that `bury` has ended at or after `dateTime`, in no particular order, also of users who have
   * registered again since. Reads the whole wallets table.
   */
  endedSince(dateTime: string): AsyncIterable<EndedRegistration>;
  trace(userSub: string): Promise<UserTrace | undefined>;
  /**
   * Replaces a user with a tombstone, which contains none of the user's data, and only the given counts. The same write
   * ends the registration for wallets. Both are forgotten after `tombstoneRetentionMilliseconds`.
   * @throws UserChangedMeanwhileError when the user has changed since `trace` was read.
   */
  bury(burial: {
    readonly trace: UserTrace;
    readonly registrationId: string;
    readonly changedAt: string;
    readonly counts: UserCounts;
  }): Promise<void>;
}
