import { randomBytes } from 'node:crypto';
import type { Application } from '../applications/application.ts';

/**
 * An application's identifier for a user: pairwise as in OpenID Connect Core 1.0, 8.1, but random, so that it cannot be
 * computed, guessed, or joined with another application's.
 */
export interface ApplicationUserSub {
  readonly applicationId: string;
  readonly applicationUserSub: string;
  /** Whether the user has used this application, which the audience `linked` requires. */
  readonly isLinked: boolean;
}

/** 128 random bits in hexadecimal. */
export const newApplicationUserSub = (): string => randomBytes(16).toString('hex');

/** Whether it has the form of an identifier; if not, no look-up is needed. */
export const isApplicationUserSub = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Whether an application hears of a user and may read its data. */
export const isInAudience = (
  { audience }: Pick<Application, 'audience'>,
  sub: Pick<ApplicationUserSub, 'isLinked'> | undefined,
): boolean => audience === 'all' || sub?.isLinked === true;

export interface Registration {
  readonly registrationId: string;
  readonly userSub: string;
}
