import type { User, UserChange } from '../user.ts';

/** The readable part of a stored user. It also exists for a user with unreadable data and for a deleted user. */
export interface UserTrace {
  readonly userSub: string;
  readonly registrationId: string | undefined;
  readonly version: number | undefined;
  readonly changedAt: string | undefined;
  readonly isRemoved: boolean;
}

/** Registered users. Reads are strongly consistent and do not return deleted users. */
export interface Users {
  find(userSub: string): Promise<User | undefined>;
  /** At most 100 different users, by `userSub`. */
  findMany(userSubs: readonly string[]): Promise<ReadonlyMap<string, User>>;
  /** The registrations of at most 100 different users, by `userSub`. Users who are not registered are left out. */
  registrationsOf(userSubs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Version 1 requires a new user, any other the previous version in the table. @throws UserChangedMeanwhileError */
  save(user: User): Promise<void>;
  /** The last change of a user. After a deletion, the deletion itself until its tombstone expires. */
  lastChange(userSub: string): Promise<UserChange | undefined>;
  /** `lastChange` of every user who changed at or after `dateTime`, in no order. Reads the whole table. */
  changedSince(dateTime: string): AsyncIterable<UserChange>;
  trace(userSub: string): Promise<UserTrace | undefined>;
  /**
   * Replaces a user by a tombstone without any data. The tombstone expires after `tombstoneRetentionMilliseconds`.
   * @throws UserChangedMeanwhileError when the user has changed since `trace` was read.
   */
  bury(burial: {
    readonly trace: UserTrace;
    readonly registrationId: string;
    readonly changedAt: string;
  }): Promise<void>;
}
