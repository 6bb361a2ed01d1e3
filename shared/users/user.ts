import { randomUUID } from 'node:crypto';
import { changeTime } from '../platform/time/date-time.ts';
import { TooManyChangesError, TooManyErasuresError } from './errors.ts';
import { applyChange, isSameData, type StoredUserData, type UserDataChange } from './user-data.ts';

/** What a user has done that is limited. It outlives the registration, so that an erasure resets no limit. */
export interface UserCounts {
  /** The changes that count towards the limit of changes in an hour. `undefined` until the user makes one. */
  readonly hour?: ChangeHour | undefined;
  /** The erasures that count towards the limit of erasures in a day. `undefined` until the user makes one. */
  readonly day?: ErasureDay | undefined;
}

export interface User extends StoredUserData, UserCounts {
  /** The user's `sub` at the identity provider. The service does not reveal it to applications. */
  readonly userSub: string;
  /**
   * Random, and new for each registration. Application user subs belong to the registration, not to `userSub`. So they
   * all end when the user is deleted, and a later registration gets new ones.
   */
  readonly registrationId: string;
  /** Counts the changes to the user. A write succeeds only if the stored version is the one that was read before. */
  readonly version: number;
  /** `date_time` of the last change. */
  readonly changedAt: string;
  /** `date_time` of the registration. */
  readonly registeredAt: string;
}

/** An hour in which a user's own changes are counted. */
export interface ChangeHour {
  /** When the first of the changes was made, in milliseconds since the epoch. The hour begins there. */
  readonly beganAt: number;
  readonly changes: number;
}

/** A day in which a user's own erasures are counted. */
export interface ErasureDay {
  /** When the first of the erasures was made, in milliseconds since the epoch. The day begins there. */
  readonly beganAt: number;
  readonly erasures: number;
}

const hourMilliseconds = 60 * 60 * 1_000;
const dayMilliseconds = 24 * hourMilliseconds;

/**
 * Counts one more change. A clock that is behind the one that began the hour counts in that hour.
 * @throws TooManyChangesError if the limit of the hour is reached.
 */
const countedIn = (
  hour: ChangeHour | undefined,
  { milliseconds, limit }: { readonly milliseconds: number; readonly limit: number },
): ChangeHour => {
  if (hour === undefined || milliseconds >= hour.beganAt + hourMilliseconds) {
    return { beganAt: milliseconds, changes: 1 };
  }
  if (hour.changes < limit) return { ...hour, changes: hour.changes + 1 };
  const wait = hour.beganAt + hourMilliseconds - milliseconds;
  throw new TooManyChangesError({ limit, retryAfterSeconds: Math.ceil(wait / 1_000) });
};

/**
 * Counts one more erasure, as `countedIn` counts a change.
 * @throws TooManyErasuresError if the limit of the day is reached.
 */
export const erasureCountedIn = (
  day: ErasureDay | undefined,
  { milliseconds, limit }: { readonly milliseconds: number; readonly limit: number },
): ErasureDay => {
  if (day === undefined || milliseconds >= day.beganAt + dayMilliseconds) {
    return { beganAt: milliseconds, erasures: 1 };
  }
  if (day.erasures < limit) return { ...day, erasures: day.erasures + 1 };
  const wait = day.beganAt + dayMilliseconds - milliseconds;
  throw new TooManyErasuresError({ limit, retryAfterSeconds: Math.ceil(wait / 1_000) });
};

/**
 * How long a deleted user's tombstone and application user subs, and the item of an unlinked wallet, are kept: 30 days.
 */
export const tombstoneRetentionMilliseconds = 30 * 24 * 60 * 60 * 1_000;

export const newRegistrationId = (): string => randomUUID();

/**
 * Applies a change to a user. A registration counts as a change even if it has no data.
 * @throws TooManyChangesError if the user has made `changesPerHour` changes within an hour. `undefined`: a change of the
 * operator, which is not counted.
 */
export const changed = ({
  userSub,
  before,
  counts = {},
  change,
  registrationId,
  milliseconds,
  changesPerHour,
}: {
  readonly userSub: string;
  readonly before: User | undefined;
  /** Of a user without a registration: what the last one has left. @default nothing */
  readonly counts?: UserCounts | undefined;
  readonly change: UserDataChange;
  readonly registrationId: string;
  readonly milliseconds: number;
  readonly changesPerHour: number | undefined;
}): { readonly user: User; readonly isChanged: boolean } => {
  const data = applyChange(before, change);
  if (before !== undefined && isSameData(before, data)) return { user: before, isChanged: false };
  const { hour, day } = before ?? counts;
  const changedAt = changeTime({ milliseconds, previous: before?.changedAt });
  const user = {
    ...data,
    userSub,
    registrationId: before?.registrationId ?? registrationId,
    version: (before?.version ?? 0) + 1,
    changedAt,
    registeredAt: before === undefined ? changedAt : before.registeredAt,
    hour: changesPerHour === undefined ? hour : countedIn(hour, { milliseconds, limit: changesPerHour }),
    day,
  };
  return { user, isChanged: true };
};

export interface EndedRegistration {
  readonly registrationId: string;
  /** When the user was deleted. */
  readonly changedAt: string;
}

export interface UserChange {
  readonly userSub: string;
  readonly registrationId: string;
  readonly changedAt: string;
  readonly isRemoved: boolean;
}

/** A change of which applications are notified. A deletion needs no `user_sub`: it creates no identifiers. */
export type RegistrationChange = UserChange | (EndedRegistration & { readonly isRemoved: true });
