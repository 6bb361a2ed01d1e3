import { randomUUID } from 'node:crypto';
import { changeTime } from '../date-time.ts';
import { applyChange, isSameData, type StoredUserData, type UserDataChange } from './user-data.ts';

export interface User extends StoredUserData {
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
}

/** How long a deleted user's tombstone and application user subs are kept: 30 days. */
export const tombstoneRetentionMilliseconds = 30 * 24 * 60 * 60 * 1_000;

export const newRegistrationId = (): string => randomUUID();

/** Applies a change to a user. A registration counts as a change even if it has no data. */
export const changed = ({
  userSub,
  before,
  change,
  registrationId,
  milliseconds,
}: {
  readonly userSub: string;
  readonly before: User | undefined;
  readonly change: UserDataChange;
  readonly registrationId: string;
  readonly milliseconds: number;
}): { readonly user: User; readonly isChanged: boolean } => {
  const data = applyChange(before, change);
  if (before !== undefined && isSameData(before, data)) return { user: before, isChanged: false };
  const user = {
    ...data,
    userSub,
    registrationId: before?.registrationId ?? registrationId,
    version: (before?.version ?? 0) + 1,
    changedAt: changeTime({ milliseconds, previous: before?.changedAt }),
  };
  return { user, isChanged: true };
};

export interface UserChange {
  readonly userSub: string;
  readonly registrationId: string;
  readonly changedAt: string;
  readonly isRemoved: boolean;
}
