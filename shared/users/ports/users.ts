import type { User, UserChange } from '../user.ts';

/** What is known of a stored user, also of one whose data nobody can read, and of one that was deleted. */
export interface UserTrace {
  readonly userSub: string;
  readonly registrationId: string | undefined;
  readonly version: number | undefined;
  readonly changedAt: string | undefined;
  readonly isRemoved: boolean;
}

/** Registered users. Every read sees every write that was answered before it; deleted ones are not there. */
export interface Users {
  find(userSub: string): Promise<User | undefined>;
  /** Up to 100 different ones, by `userSub`. */
  findMany(userSubs: readonly string[]): Promise<ReadonlyMap<string, User>>;
  /** The registrations of those that are registered, by `userSub`. Up to 100 different ones. */
  registrationsOf(userSubs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Stores a change: version 1 where no such user is, any other over the version before it.
   *
   * @throws UserChangedMeanwhileError
   */
  save(user: User): Promise<void>;
  /** The last change of a user, its deletion too, until nothing is left of that. */
  lastChange(userSub: string): Promise<UserChange | undefined>;
  /** `lastChange` of every user who changed at or after `dateTime`, in no order. Reads the whole table. */
  changedSince(dateTime: string): AsyncIterable<UserChange>;
  trace(userSub: string): Promise<UserTrace | undefined>;
  /**
   * Replaces a user by what tells of its deletion, without any data, and itself ends after `tombstoneRetentionMilliseconds`.
   *
   * @throws UserChangedMeanwhileError when the user is not the one of `trace` any more.
   */
  bury(burial: {
    readonly trace: UserTrace;
    readonly registrationId: string;
    readonly changedAt: string;
  }): Promise<void>;
}
