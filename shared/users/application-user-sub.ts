import { randomBytes } from 'node:crypto';
import type { Application } from '../applications/application.ts';

/**
 * What one application calls one user: pairwise as in OpenID Connect Core 1.0, 8.1, but drawn at random, so
 * that it cannot be computed, guessed, or joined with what another application has.
 */
export interface ApplicationUserSub {
  readonly applicationId: string;
  readonly applicationUserSub: string;
  /** Whether the user has used this application, which an audience of `linked` asks for. */
  readonly isLinked: boolean;
}

/** 128 random bits in hexadecimal. */
export const newApplicationUserSub = (): string => randomBytes(16).toString('hex');

/** Whether it can be one at all; what is not needs no look-up. */
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
