import { randomUUID } from 'node:crypto';
import { changeTime } from '../date-time.ts';
import { applyChange, isSameData, type StoredUserData, type UserDataChange } from './user-data.ts';

/** A registered user. */
export interface User extends StoredUserData {
  /** The user, as the identity provider names it. Never leaves the service but to its own bearer. */
  readonly userSub: string;
  /**
   * Drawn at each registration. Application user identifiers belong to it and not to `userSub`, so that
   * they all end with the user, at once, when the user is deleted, and a later registration gets new ones.
   */
  readonly registrationId: string;
  /** Counts the changes; a write names the one that it read. */
  readonly version: number;
  /** `date_time` of the last change. */
  readonly changedAt: string;
}

/** How long a tombstone and the applications' identifiers outlast the user: 30 days. */
export const tombstoneRetentionMilliseconds = 30 * 24 * 60 * 60 * 1_000;

export const newRegistrationId = (): string => randomUUID();

/** The user after a change. A registration is always a change, even without data. */
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
  /** For a new user. */
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

/** A user's registration, change or deletion, as the publisher needs it. */
export interface UserChange {
  readonly userSub: string;
  readonly registrationId: string;
  readonly changedAt: string;
  readonly isRemoved: boolean;
}
