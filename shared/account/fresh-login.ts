import type { AccessToken } from '../platform/auth/access-token.ts';
import { InsufficientUserAuthenticationError } from './errors.ts';

/** How long ago the user may have logged in. */
export const freshLoginSeconds = 600;

/** How far the issuer's clock may be ahead. */
const aheadSeconds = 5;

/**
 * Requires that the user logged in a moment ago. Otherwise whoever has an access token, such as one that a page has
 * leaked, could do what cannot be undone.
 * @throws InsufficientUserAuthenticationError
 */
export const requireFreshLogin = (
  { authTime }: Pick<AccessToken, 'authTime'>,
  {
    now,
    withoutAuthTime,
  }: {
    /** Milliseconds since the epoch. */
    readonly now: number;
    /** What the stage does with tokens that do not say when the user logged in. */
    readonly withoutAuthTime: 'refused' | 'allowed';
  },
): void => {
  const refuse = (reason: string): never => {
    throw new InsufficientUserAuthenticationError({ reason, maximumAgeSeconds: freshLoginSeconds });
  };
  if (authTime === undefined) {
    if (withoutAuthTime === 'allowed') return;
    refuse('the token has no auth_time');
    return;
  }
  const age = now / 1_000 - authTime;
  if (!(age <= freshLoginSeconds)) refuse('the login is too old');
  if (age < -aheadSeconds) refuse('the login is in the future');
};
