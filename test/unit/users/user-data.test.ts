import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserDataTooLargeError } from '../../../shared/users/errors.ts';
import { changed, type User } from '../../../shared/users/user.ts';
import { applyChange, userDataChangeSchema } from '../../../shared/users/user-data.ts';

const aUser = (overrides: Partial<User> = {}): User => ({
  userSub: 'user-1',
  registrationId: 'registration-1',
  version: 3,
  changedAt: '2026-11-20T09:15:02.123456',
  user_data: { email: 'a@example.com', club_id: '7' },
  user_agreements: [{ id: 'terms', accepted: true }],
  ...overrides,
});

const change = (before: User | undefined, parts: Parameters<typeof applyChange>[1]) =>
  changed({
    userSub: 'user-1',
    before,
    change: parts,
    registrationId: 'registration-2',
    milliseconds: Date.parse('2026-11-21T00:00:00Z'),
  });

describe('change of user data', () => {
  it('registers a user who is new, also without any data', () => {
    expect(change(undefined, {})).toEqual({
      isChanged: true,
      user: {
        userSub: 'user-1',
        registrationId: 'registration-2',
        version: 1,
        changedAt: '2026-11-21T00:00:00.000000',
        user_data: {},
        user_agreements: [],
      },
    });
  });

  it('sets, replaces and, by null, removes keys, and leaves the others alone', () => {
    const { user } = change(aUser(), { user_data: { email: 'b@example.com', club_id: null, is_club: 'no' } });

    expect(user.user_data).toEqual({ email: 'b@example.com', is_club: 'no' });
    expect(user.user_agreements).toEqual([{ id: 'terms', accepted: true }]);
  });

  it('replaces the value under a key as a whole, nulls inside it too', () => {
    const before = aUser({ user_data: { address: { city: 'Linz', zip: '4020' } } });

    const { user } = change(before, { user_data: { address: { city: null } } });

    expect(user.user_data).toEqual({ address: { city: null } });
  });

  it('replaces agreements only when they are given', () => {
    expect(change(aUser(), { user_agreements: [] }).user.user_agreements).toEqual([]);
    expect(change(aUser(), { user_data: { x: 1 } }).user.user_agreements).toHaveLength(1);
  });

  it('keeps the registration, counts the version and moves the time on', () => {
    const { user } = change(aUser(), { user_data: { x: 1 } });

    expect(user).toMatchObject({
      registrationId: 'registration-1',
      version: 4,
      changedAt: '2026-11-21T00:00:00.000000',
    });
  });

  it('is none when the same is stored already, whatever the order of keys', () => {
    const before = aUser({ user_data: { a: { x: 1, y: [2] }, b: 'c' } });

    const unchanged = [
      {},
      { user_data: {} },
      { user_data: { b: 'c', a: { y: [2], x: 1 } } },
      { user_data: { unknown: null } },
      { user_agreements: [{ accepted: true, id: 'terms' }] },
    ].map((parts) => change(before, parts));

    for (const result of unchanged) expect(result).toEqual({ isChanged: false, user: before });
  });

  it('is none when -0 is stored as 0', () => {
    const { user } = change(aUser(), { user_data: { x: -0 } });

    expect(change(user, { user_data: { x: -0 } }).isChanged).toBe(false);
  });

  it('tells apart what merely looks alike', () => {
    const before = aUser({ user_data: { x: '1' } });

    for (const x of [1, ['1'], { 0: '1' }, true]) {
      expect(change(before, { user_data: { x } }).isChanged).toBe(true);
    }
  });

  it('keeps keys that mean something to JavaScript', () => {
    const parts = userDataChangeSchema.parse(
      JSON.parse('{"user_data":{"__proto__":{"admin":true},"constructor":"x","toString":1}}'),
    );

    const { user } = change(aUser({ user_data: {} }), parts);

    expect(JSON.stringify(user.user_data)).toBe(
      '{"__proto__":{"admin":true},"constructor":"x","toString":1}',
    );
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('may fill 32 KB and not a byte more, escapes and all', () => {
    const overhead = JSON.stringify({ user_data: { x: '' }, user_agreements: [] }).length;
    const room = 32 * 1024 - overhead;

    expect(applyChange(undefined, { user_data: { x: 'x'.repeat(room) } })).toBeDefined();
    for (const x of ['x'.repeat(room + 1), '€'.repeat(room / 3 + 1), '\u0000'.repeat(room / 6 + 1)]) {
      expect(() => applyChange(undefined, { user_data: { x } })).toThrow(UserDataTooLargeError);
    }
  });

  it('ends in the same data as when it was one object all along', () => {
    const data = fc.dictionary(fc.string(), fc.oneof(fc.constant(null), fc.jsonValue()));
    fc.assert(
      fc.property(fc.array(data), (changes) => {
        let user: User | undefined;
        const expected = new Map<string, unknown>();
        for (const user_data of changes) {
          user = change(user, { user_data }).user;
          for (const [key, value] of Object.entries(user_data)) {
            if (value === null) expected.delete(key);
            else expected.set(key, JSON.parse(JSON.stringify(value)));
          }
        }
        expect(user?.user_data ?? {}).toEqual(Object.fromEntries(expected));
      }),
    );
  });
});

describe('request to change user data', () => {
  const refused = [
    'null',
    '[]',
    '"x"',
    '{"user_data":null}',
    '{"user_data":[]}',
    '{"user_data":"x"}',
    '{"user_agreements":{}}',
    '{"user_agreements":null}',
    '{"user_data":{"x":1e999}}',
    `{"user_data":{"x":${'['.repeat(40)}${']'.repeat(40)}}}`,
    `{"user_data":{"x":${'['.repeat(16_000)}${']'.repeat(16_000)}}}`,
    '{"userData":{}}',
  ];
  for (const text of refused) {
    it(`refuses ${text.slice(0, 40)}`, () => {
      expect(userDataChangeSchema.safeParse(JSON.parse(text)).success).toBe(false);
    });
  }
});
