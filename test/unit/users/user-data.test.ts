import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserDataTooLargeError } from '../../../shared/users/errors.ts';
import { userDataChangeSchema } from '../../../shared/users/http/requests.ts';
import { changed, type User } from '../../../shared/users/user.ts';
import { applyChange } from '../../../shared/users/user-data.ts';

const aUser = (overrides: Partial<User> = {}): User => ({
  userSub: 'user-1',
  registrationId: 'registration-1',
  version: 3,
  changedAt: '2026-11-20T09:15:02.123456',
  registeredAt: '2026-11-20T09:15:00.000000',
  data: { email: 'a@example.com', club_id: '7' },
  agreements: [{ id: 'terms', accepted: true }],
  ...overrides,
});

const now = Date.parse('2026-11-21T00:00:00Z');

const change = (
  before: User | undefined,
  parts: Parameters<typeof applyChange>[1],
  { milliseconds = now, changesPerHour }: { milliseconds?: number; changesPerHour?: number } = {},
) =>
  changed({
    userSub: 'user-1',
    before,
    change: parts,
    registrationId: 'registration-2',
    milliseconds,
    changesPerHour,
  });

describe('the changes of a user in one hour', () => {
  const hour = 60 * 60 * 1_000;
  const next = { data: { n: '1' } };
  const full = aUser({ hour: { beganAt: now, changes: 2 } });

  it('are counted from the first change on', () => {
    const { user: first } = change(aUser(), next, { changesPerHour: 2 });
    const { user: second } = change(
      first,
      { data: { n: '2' } },
      { changesPerHour: 2, milliseconds: now + 1 },
    );

    expect([first.hour, second.hour]).toEqual([
      { beganAt: now, changes: 1 },
      { beganAt: now, changes: 2 },
    ]);
  });

  it('are rejected above the limit, with the seconds until the hour ends', () => {
    const milliseconds = now + hour - 1_500;

    expect(() => change(full, next, { changesPerHour: 2, milliseconds })).toThrow(
      expect.objectContaining({ code: 'TOO_MANY_CHANGES', headers: { 'retry-after': '2' } }),
    );
  });

  it('never exceed the limit, however often a user tries', () => {
    let user = aUser();
    let refused = 0;
    for (let tried = 0; tried < 10_000; tried++) {
      try {
        const milliseconds = now + Math.floor((tried * hour) / 10_000);
        user = change(user, { data: { n: String(tried) } }, { changesPerHour: 60, milliseconds }).user;
      } catch {
        refused += 1;
      }
    }

    expect(refused).toBe(9_940);
    expect(user.version).toBe(aUser().version + 60);
  });

  it('are allowed again when the hour is over, with a count that starts at 1', () => {
    const { user } = change(full, next, { changesPerHour: 2, milliseconds: now + hour });

    expect(user.hour).toEqual({ beganAt: now + hour, changes: 1 });
  });

  it("do not count requests that change nothing, nor the operator's changes", () => {
    const unchanged = change(full, { data: full.data }, { changesPerHour: 2 });
    const operators = change(full, next);

    expect(unchanged).toEqual({ user: full, isChanged: false });
    expect(operators).toMatchObject({ isChanged: true, user: { hour: full.hour } });
  });
});

describe('a change of user data', () => {
  it('registers a new user, even without any data', () => {
    expect(change(undefined, {})).toEqual({
      isChanged: true,
      user: {
        userSub: 'user-1',
        registrationId: 'registration-2',
        version: 1,
        changedAt: '2026-11-21T00:00:00.000000',
        registeredAt: '2026-11-21T00:00:00.000000',
        data: {},
        agreements: [],
      },
    });
  });

  it('sets and replaces keys, removes keys whose value is null, and keeps the others', () => {
    const { user } = change(aUser(), { data: { email: 'b@example.com', club_id: null, is_club: 'no' } });

    expect(user.data).toEqual({ email: 'b@example.com', is_club: 'no' });
    expect(user.agreements).toEqual([{ id: 'terms', accepted: true }]);
  });

  it('replaces the whole value of a key, including nulls inside the value', () => {
    const before = aUser({ data: { address: { city: 'Linz', zip: '4020' } } });

    const { user } = change(before, { data: { address: { city: null } } });

    expect(user.data).toEqual({ address: { city: null } });
  });

  it('replaces agreements only when the change contains agreements', () => {
    expect(change(aUser(), { agreements: [] }).user.agreements).toEqual([]);
    expect(change(aUser(), { data: { x: 1 } }).user.agreements).toHaveLength(1);
  });

  it('keeps the registration, increments the version and updates the time', () => {
    const { user } = change(aUser(), { data: { x: 1 } });

    expect(user).toMatchObject({
      registrationId: 'registration-1',
      version: 4,
      changedAt: '2026-11-21T00:00:00.000000',
    });
  });

  it('has no effect when the same data is already stored, whatever the order of its keys', () => {
    const before = aUser({ data: { a: { x: 1, y: [2] }, b: 'c' } });

    const unchanged = [
      {},
      { data: {} },
      { data: { b: 'c', a: { y: [2], x: 1 } } },
      { data: { unknown: null } },
      { agreements: [{ accepted: true, id: 'terms' }] },
    ].map((parts) => change(before, parts));

    for (const result of unchanged) expect(result).toEqual({ isChanged: false, user: before });
  });

  it('has no effect when it sets -0 where 0 is stored', () => {
    const { user } = change(aUser(), { data: { x: -0 } });

    expect(change(user, { data: { x: -0 } }).isChanged).toBe(false);
  });

  it('has an effect when only the type of a value differs', () => {
    const before = aUser({ data: { x: '1' } });

    for (const x of [1, ['1'], { 0: '1' }, true]) {
      expect(change(before, { data: { x } }).isChanged).toBe(true);
    }
  });

  it('keeps keys that have a meaning in JavaScript, such as __proto__', () => {
    const before = aUser({ data: JSON.parse('{"__proto__":{"admin":true},"constructor":"x"}') });

    const { user } = change(before, { data: { toString: 1, valueOf: 2 } });

    expect(JSON.stringify(user.data)).toBe(
      '{"__proto__":{"admin":true},"constructor":"x","toString":1,"valueOf":2}',
    );
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('is limited to 32 KB of JSON, including escapes', () => {
    const overhead = JSON.stringify({ user_data: { x: '' }, user_agreements: [] }).length;
    const room = 32 * 1024 - overhead;

    expect(applyChange(undefined, { data: { x: 'x'.repeat(room) } })).toBeDefined();
    for (const x of ['x'.repeat(room + 1), '€'.repeat(room / 3 + 1), '\u0000'.repeat(room / 6 + 1)]) {
      expect(() => applyChange(undefined, { data: { x } })).toThrow(UserDataTooLargeError);
    }
  });

  it('results in the same data as if all keys had been set in one object', () => {
    const data = fc.dictionary(fc.string(), fc.oneof(fc.constant(null), fc.jsonValue()));
    fc.assert(
      fc.property(fc.array(data), (changes) => {
        let user: User | undefined;
        const expected = new Map<string, unknown>();
        for (const part of changes) {
          user = change(user, { data: part }).user;
          for (const [key, value] of Object.entries(part)) {
            if (value === null) expected.delete(key);
            else expected.set(key, JSON.parse(JSON.stringify(value)));
          }
        }
        expect(user?.data ?? {}).toEqual(Object.fromEntries(expected));
      }),
    );
  });
});

describe('a request to change user data', () => {
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
    '{"user_data":{"__proto__":{"admin":true}}}',
    '{"user_data":{"a":[{"constructor":1}]}}',
    '{"user_agreements":[{"prototype":1}]}',
  ];
  for (const text of refused) {
    it(`is rejected if it is ${text.slice(0, 40)}`, () => {
      expect(userDataChangeSchema.safeParse(JSON.parse(text)).success).toBe(false);
    });
  }
});
