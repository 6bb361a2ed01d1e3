import type { UserChange } from '../change-record.ts';
import type { User } from '../user.ts';

/** Registered users. Every read sees every write that was answered before it. */
export interface Users {
  find(userSub: string): Promise<User | undefined>;
  /** The registrations of those that are registered, by `userSub`. Up to 100 different ones. */
  registrationsOf(userSubs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Stores a change: version 1 where no such user is, any other over the version before it.
   *
   * @throws UserChangedMeanwhileError
   */
  save(user: User): Promise<void>;
  /** The last change of every user who changed at or after `dateTime`, in no order. Reads the whole table. */
  changedSince(dateTime: string): AsyncIterable<UserChange>;
  /** An unknown user does nothing. */
  remove(userSub: string): Promise<void>;
}
