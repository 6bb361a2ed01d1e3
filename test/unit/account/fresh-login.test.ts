import { describe, expect, it } from 'vitest';
import { requireFreshLogin } from '../../../shared/account/fresh-login.ts';

const now = Date.parse('2026-11-20T09:15:02.000Z');
const seconds = now / 1_000;

const loggedIn = (
  authTime: number | undefined,
  withoutAuthTime: 'refused' | 'allowed' = 'refused',
): { readonly code?: string; readonly headers?: object } | 'fresh' => {
  try {
    requireFreshLogin({ authTime }, { now, withoutAuthTime });
    return 'fresh';
  } catch (error) {
    return error as object;
  }
};

describe('a fresh login', () => {
  it.each([
    ['of this moment', seconds],
    ['of ten minutes ago', seconds - 600],
    ['of five seconds ahead, as clocks differ', seconds + 5],
  ])('is one %s', (_, authTime) => {
    expect(loggedIn(authTime)).toBe('fresh');
  });

  it.each([
    ['longer ago', seconds - 601, 'refused'],
    ['in the future', seconds + 6, 'refused'],
    ['in the future, also where the claim may be absent', seconds + 6, 'allowed'],
    ['unknown', undefined, 'refused'],
    ['unreadable', Number.NaN, 'refused'],
    ['unreadable, also where the claim may be absent', Number.NaN, 'allowed'],
    ['of no time', Number.NEGATIVE_INFINITY, 'allowed'],
  ] as const)('is none that is %s', (_, authTime, withoutAuthTime) => {
    expect(loggedIn(authTime, withoutAuthTime)).toMatchObject({
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
      headers: { 'WWW-Authenticate': 'Bearer error="insufficient_user_authentication", max_age=600' },
    });
  });

  it('may be unknown on a stage that allows it', () => {
    expect(loggedIn(undefined, 'allowed')).toBe('fresh');
  });
});
