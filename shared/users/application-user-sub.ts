import { isRandomId, newRandomId } from '../platform/random-id.ts';

/**
 * An application's identifier for a user. It is pairwise as in OpenID Connect Core 1.0, section 8.1, but random, so
 * that it cannot be computed, guessed, or matched with another application's identifier for the same user.
 */
export interface ApplicationUserSub {
  readonly applicationId: string;
  readonly applicationUserSub: string;
  /** Whether the user has used this application. An application with the audience `linked` sees only such users. */
  readonly isLinked: boolean;
}

export const newApplicationUserSub = newRandomId;
export const isApplicationUserSub = isRandomId;

export interface Registration {
  readonly registrationId: string;
  readonly userSub: string;
}
