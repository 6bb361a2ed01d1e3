import { randomUUID } from 'node:crypto';
import { changeTime } from '../date-time.ts';
import { applyChange, isSameData, type StoredUserData, type UserDataChange } from './user-data.ts';

export interface User extends StoredUserData {
  /** The identity provider's name for the user. Only the user's own requests ever see it. */
  readonly userSub: string;
  /**
   * Random, and new at each registration. Application user subs belong to it and not to `userSub`. So they all end when
   * the user is deleted, and a later registration gets new ones.
   */
  readonly registrationId: string;
  /** Counts the changes. A write names the version that it read. */
  readonly version: number;
  /** `date_time` of the last change. */
  readonly changedAt: string;
}

/** How long a tombstone and the application user subs are kept after the deletion of the user: 30 days. */
export const tombstoneRetentionMilliseconds = 30 * 24 * 60 * 60 * 1_000;

export const newRegistrationId = (): string => randomUUID();

/** The user after a change. A registration counts as a change even without data. */
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
