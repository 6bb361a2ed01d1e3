import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ServiceUnavailableError } from '../../../shared/platform/errors.ts';
import type { EndedRegistration } from '../../../shared/users/user.ts';
import { refusal } from '../../support/platform/refusal.ts';
import { startUserCalls, type UserCalls } from '../../support/users/user-calls.ts';
import { anApplication } from '../../support/users/users.ts';

let calls: UserCalls;

beforeAll(async () => {
  calls = await startUserCalls();
  const { version: _one, ...club } = anApplication({
    id: 'club',
    apiKeyIds: ['key-club'],
    clientIds: ['web-club'],
  });
  const { version: _two, ...shop } = anApplication({
    id: 'shop',
    apiKeyIds: ['key-shop'],
    clientIds: ['web-shop'],
    audience: 'linked',
  });
  await calls.applications.create(club);
  await calls.applications.create(shop);
});
afterAll(() => calls.stop());

let users = 0;
const aNewSub = () => `user-${++users}`;
const as = (sub: string, client?: string) => ({
  headers: { Authorization: ['Bearer', sub, ...(client === undefined ? [] : [client])].join(' ') },
});

const registered = async (body: unknown = { user_data: { email: 'a@example.com' } }) => {
  const sub = aNewSub();
  expect((await calls.put({ ...as(sub), body })).status).toBe(200);
  return sub;
};

/** Makes the stored data of a user unreadable. */
const spoil = (sub: string) =>
  calls.database.sdk.send(
    new UpdateCommand({
      TableName: calls.tables.Users,
      Key: { user_sub: sub },
      UpdateExpression: 'SET user_data = :broken',
      ExpressionAttributeValues: { ':broken': '{' },
    }),
  );

const exchanged = async (sub: string, apiKeyId = 'key-club'): Promise<string | null> => {
  const { body } = await calls.exchange({ apiKeyId, body: { user_subs: [sub] } });
  return (body as { user_subs: { application_user_sub: string | null }[] }).user_subs[0]
    ?.application_user_sub as string | null;
};

const read = (application_user_sub: unknown, apiKeyId = 'key-club') =>
  calls.read({ apiKeyId, body: { application_user_sub } });

const userNotFound = { status: 404, error_fields: 'USER_NOT_FOUND' };
const badRequest = { status: 400, message: 'BAD_REQUEST' };

describe('PUT and GET /user/data', () => {
  it('returns the merged data without the identifiers of applications', async () => {
    const sub = await registered({ user_data: { is_club: 'yes', club_id: '7' }, user_agreements: ['terms'] });
    await exchanged(sub);

    const put = await calls.put({
      ...as(sub),
      body: { user_data: { club_id: null, email: 'b@example.com' } },
    });
    const got = await calls.get(as(sub));

    const expected = {
      user_data: { is_club: 'yes', email: 'b@example.com' },
      user_agreements: ['terms'],
    };
    expect(put).toMatchObject({ status: 200, body: expected });
    expect(got).toMatchObject({ status: 200, body: expected });
  });

  it('answers 404 before the user has registered', async () => {
    expect(await calls.get(as(aNewSub()))).toMatchObject({ status: 404, body: userNotFound });
  });

  it('answers 401 without a token', async () => {
    for (const call of [calls.put, calls.get, calls.report]) {
      const { status, body } = await call({ body: {} });
      expect({ status, body }).toEqual({
        status: 401,
        body: refusal({ status: 401, message: 'UNAUTHORIZED' }),
      });
    }
  });

  it('answers 400 and names the wrong fields of a body', async () => {
    const { status, body } = await calls.put({ ...as(aNewSub()), body: { user_data: 7, extra: 1 } });

    expect(status).toBe(400);
    expect((body as { errors: { path: string }[] }).errors.map(({ path }) => path).sort()).toEqual([
      'extra',
      'user_data',
    ]);
  });

  it('answers 429 above the limit of changes in an hour, and writes nothing', async () => {
    const sub = await registered({ user_data: { n: '1' } });
    const put = (n: number) => calls.put({ ...as(sub, 'web-shop'), body: { user_data: { n: String(n) } } });
    for (let n = 2; n <= 60; n++) expect((await put(n)).status).toBe(200);
    const stored = async () => {
      const key = { TableName: calls.tables.Users, Key: { user_sub: sub } };
      return (await calls.database.documents.get({ ...key, ConsistentRead: true })).Item;
    };
    const before = await stored();

    const unchanged = await put(60);
    const refused = await Promise.all([put(61), put(62), put(63)]);

    expect(unchanged.status).toBe(200);
    for (const { status, body, headers } of refused) {
      expect({ status, body }).toMatchObject({ status: 429, body: { message: 'TOO_MANY_CHANGES' } });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600);
    }
    expect(await stored()).toEqual(before);
  });

  it('does not link a user to an application by a rejected change', async () => {
    const sub = await registered({ user_data: { n: '1' } });
    for (let n = 2; n <= 60; n++) await calls.put({ ...as(sub), body: { user_data: { n: String(n) } } });

    const refused = await calls.put({ ...as(sub, 'web-shop'), body: { user_data: { n: '61' } } });

    expect(refused.status).toBe(429);
    expect(await exchanged(sub, 'key-shop')).toBeNull();
  });

  it('stores no identifier of a registration that has not begun, although several first calls come at once', async () => {
    const sub = aNewSub();
    const call = () =>
      calls.put({ ...as(sub, 'web-club'), body: { user_data: { email: `${sub}@example.com` } } });

    const answers = await Promise.all(Array.from({ length: 5 }, call));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { registrationId } = (await calls.users.find(sub)) ?? {};
    const { Items: stored = [] } = await calls.database.documents.scan({
      TableName: calls.tables.ApplicationUserSubs,
      FilterExpression: 'user_sub = :sub',
      ExpressionAttributeValues: { ':sub': sub },
    });
    expect(stored.map(({ registration_id }) => registration_id)).toEqual([registrationId]);
  });

  it('returns JSON values unchanged that DynamoDB cannot store', async () => {
    const text = `{"user_data":{"toString":{"x":1},"n":1e300,"s":"\\ud800 \\u0000 \u{1f600}","e":"","":[[]]}}`;
    const sub = await registered(text);

    const got = await calls.get(as(sub));

    expect(got.text).toContain(
      '"user_data":{"toString":{"x":1},"n":1e+300,"s":"\\ud800 \\u0000 \u{1f600}","e":"","":[[]]}',
    );
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    'rejects the key %s, which has a meaning in JavaScript, at any depth, and changes nothing',
    async (key) => {
      const sub = await registered();
      const before = await calls.get(as(sub));
      const wrong = {
        [`user_data.${key}`]: `{"user_data":{"email":"b@example.com","${key}":{"is_club":"yes"}}}`,
        [`user_data.a[1].${key}`]: `{"user_data":{"a":[{},{"${key}":null}]}}`,
        [`user_agreements[0].b.${key}`]: `{"user_agreements":[{"b":{"${key}":1}}]}`,
      };

      for (const [path, body] of Object.entries(wrong)) {
        expect(await calls.put({ ...as(sub), body })).toMatchObject({
          status: 400,
          body: { message: 'BAD_REQUEST', errors: [{ path }] },
        });
      }

      expect(await calls.get(as(sub))).toEqual(before);
    },
  );

  it('returns such keys if they are already stored', async () => {
    const sub = await registered();
    await calls.database.sdk.send(
      new UpdateCommand({
        TableName: calls.tables.Users,
        Key: { user_sub: sub },
        UpdateExpression: 'SET user_data = :data',
        ExpressionAttributeValues: { ':data': '{"__proto__":{"x":1},"constructor":"y"}' },
      }),
    );

    expect((await calls.get(as(sub))).text).toContain('{"__proto__":{"x":1},"constructor":"y"}');
  });

  it('rejects a change of a read-only key and changes nothing', async () => {
    const sub = await registered({ user_data: { email: 'a@example.com', is_club: 'no' } });
    const before = await calls.get(as(sub));
    const newcomer = aNewSub();

    for (const user_data of [
      { is_club: 'yes' },
      { is_club: null },
      { is_club: 'no' },
      { email: 'b@example.com', is_club: 'yes', club_id: '7' },
    ]) {
      const body = { user_data, user_agreements: ['terms'] };
      const errors = Object.keys(user_data)
        .filter((key) => key !== 'email')
        .map((key) => ({ path: `user_data.${key}`, message: 'Only the operator writes it' }));
      const refused = { status: 403, body: { status: 403, message: 'FIELD_NOT_WRITABLE', errors } };

      expect(await calls.putOwn({ ...as(sub), body })).toMatchObject(refused);
      expect(await calls.putOwn({ ...as(newcomer), body })).toMatchObject(refused);
    }

    expect(await calls.get(as(sub))).toEqual(before);
    expect((await calls.get(as(newcomer))).status).toBe(404);
  });

  it('accepts other keys while a read-only key is stored', async () => {
    const sub = await registered({ user_data: { is_club: 'yes' } });

    const { status, body } = await calls.putOwn({
      ...as(sub),
      body: { user_data: { email: 'b@example.com', is_Club: 'x' } },
    });

    expect({ status, body }).toMatchObject({
      status: 200,
      body: { user_data: { is_club: 'yes', email: 'b@example.com', is_Club: 'x' } },
    });
  });

  it.each(['12345678901234567891', '-9007199254740993', '[1, {"deep": 9007199254740993}]'])(
    'rejects the number %s, which a double cannot represent',
    async (value) => {
      const { status, body } = await calls.put({ ...as(aNewSub()), body: `{"user_data":{"n":${value}}}` });

      expect(status).toBe(400);
      const [error] = (body as { errors: { path: string }[] }).errors;
      expect(error?.path).toMatch(/^user_data\.n/);
    },
  );

  it('returns every integer that a double can represent', async () => {
    const numbers = '[9007199254740991,9007199254740992,-9007199254740992,1e300,1152921504606846976]';
    const sub = await registered(`{"user_data":{"n":${numbers}}}`);

    expect((await calls.get(as(sub))).body).toMatchObject({ user_data: { n: JSON.parse(numbers) } });
  });

  it('checks the token before the body', async () => {
    for (const body of ['{', { user_data: 7 }, 'x'.repeat(40_000)]) {
      expect((await calls.put({ body })).status).toBe(401);
    }
  });

  it('answers 413 if the data of a user would exceed 32 KB', async () => {
    const sub = await registered({ user_data: { a: 'x'.repeat(20_000) } });

    const { status } = await calls.put({ ...as(sub), body: { user_data: { b: 'x'.repeat(20_000) } } });

    expect(status).toBe(413);
    expect((await calls.get(as(sub))).text).not.toContain('"b"');
  });

  it('writes nothing if the data stays the same', async () => {
    const sub = await registered({ user_data: { a: { x: 1, y: 2 } } });
    const before = await calls.users.find(sub);

    await calls.put({ ...as(sub), body: { user_data: { a: { y: 2, x: 1 } } } });

    expect(await calls.users.find(sub)).toEqual(before);
  });

  it('keeps all of several concurrent changes, each with its own version', async () => {
    const sub = aNewSub();
    const keys = Array.from({ length: 8 }, (_, index) => `key-${index}`);

    const answers = await Promise.all(
      keys.map((key) => calls.put({ ...as(sub), body: { user_data: { [key]: key } } })),
    );

    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const user = await calls.users.find(sub);
    expect(Object.keys(user?.data ?? {}).sort()).toEqual(keys);
    expect(user?.version).toBe(keys.length);
  });
});

describe('the entity tags of /user/data', () => {
  const tagOf = async (sub: string) => {
    const { headers } = await calls.get(as(sub));
    return String(headers.etag);
  };
  const putIf = (sub: string, condition: Record<string, string>, body: unknown) =>
    calls.put({ headers: { ...as(sub).headers, ...condition }, body });
  const preconditionFailed = refusal({ status: 412, message: 'PRECONDITION_FAILED' });

  it('are equal on GET and PUT, and change with each change of the data', async () => {
    const sub = await registered();
    const first = await tagOf(sub);

    const unchanged = await calls.put({ ...as(sub), body: {} });
    const changed = await calls.put({ ...as(sub), body: { user_data: { x: 1 } } });

    expect(first).toMatch(/^"[\w-]{20,}"$/);
    expect(unchanged.headers.etag).toBe(first);
    expect(changed.headers.etag).toBe(await tagOf(sub));
    expect(changed.headers.etag).not.toBe(first);
  });

  it('let only one of two concurrent writers succeed, so that no agreement is lost', async () => {
    const sub = await registered({ user_agreements: ['terms'] });
    const etag = await tagOf(sub);

    const answers = await Promise.all(
      ['news', 'partners'].map((agreement) =>
        putIf(sub, { 'If-Match': etag }, { user_agreements: ['terms', agreement] }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const [won] = answers.filter(({ status }) => status === 200);
    const [lost] = answers.filter(({ status }) => status === 412);
    expect(lost?.body).toEqual(preconditionFailed);
    expect((await calls.get(as(sub))).body).toEqual(won?.body);
  });

  it('are compared as in RFC 9110', async () => {
    const sub = await registered();
    const etag = await tagOf(sub);

    for (const condition of [etag, `"other", ${etag}`, '*', ` ${etag} ,, "x" `]) {
      expect((await putIf(sub, { 'if-match': condition }, {})).status).toBe(200);
    }
    for (const condition of ['"other"', `W/${etag}`, '""']) {
      expect(await putIf(sub, { 'if-match': condition }, {})).toMatchObject({
        status: 412,
        body: preconditionFailed,
      });
    }
  });

  it('cause a rejection with If-Match if the user is missing, and with If-None-Match: * if the user exists', async () => {
    const sub = aNewSub();

    expect((await putIf(sub, { 'If-Match': '*' }, {})).status).toBe(412);
    expect((await calls.get(as(sub))).status).toBe(404);
    expect((await putIf(sub, { 'If-None-Match': '*' }, {})).status).toBe(200);
    expect((await putIf(sub, { 'If-None-Match': '*' }, { user_data: { x: 1 } })).status).toBe(412);
    expect((await calls.get(as(sub))).body).toEqual({ user_data: {}, user_agreements: [] });
  });

  it.each([
    ['If-Match', 'no-quotes'],
    ['If-Match', ''],
    ['If-None-Match', '"tag"'],
  ])('cause a 400 for the header %s with the value %s, naming the header', async (name, value) => {
    const sub = await registered();

    const { status, body } = await putIf(sub, { [name]: value }, { user_data: { x: 1 } });

    expect(status).toBe(400);
    expect((body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([name]);
  });

  it('change when a user is deleted and registers again', async () => {
    const sub = await registered();
    const etag = await tagOf(sub);
    await calls.remove(sub);
    await calls.put({ ...as(sub), body: {} });

    expect((await putIf(sub, { 'If-Match': etag }, { user_data: { x: 1 } })).status).toBe(412);
  });
});

describe('the reporter call', () => {
  it("returns the user's identifier for the application of the token’s client, always the same", async () => {
    const sub = await registered();

    const [first, second] = [
      await calls.report(as(sub, 'web-club')),
      await calls.report(as(sub, 'web-club')),
    ];

    expect(first.status).toBe(200);
    expect(Object.keys(first.body as object)).toEqual(['application_user_sub']);
    expect(second).toEqual(first);
    expect(await exchanged(sub)).toBe((first.body as { application_user_sub: string }).application_user_sub);
  });

  it('answers 403 for a client without an application, and without a client', async () => {
    const sub = await registered();

    for (const client of ['unknown', undefined]) {
      expect(await calls.report(as(sub, client))).toMatchObject({ status: 403 });
    }
  });

  it('answers 404 before the user has registered', async () => {
    expect(await calls.report(as(aNewSub(), 'web-club'))).toMatchObject({ status: 404, body: userNotFound });
  });
});

describe('the exchange of user subs', () => {
  it('answers in the requested order, including duplicates, with null for unknown users', async () => {
    const [one, two] = [await registered(), await registered()];
    const user_subs = [two, 'nobody', one, two, 'lone \ud800', '\u0000', 'x'.repeat(2_049)];

    const { status, body } = await calls.exchange({ apiKeyId: 'key-club', body: { user_subs } });

    const answered = (body as { user_subs: { user_sub: string; application_user_sub: string | null }[] })
      .user_subs;
    expect(status).toBe(200);
    expect(answered.map(({ user_sub }) => user_sub)).toEqual(user_subs);
    expect(answered[0]).toEqual(answered[3]);
    expect(answered[0]?.application_user_sub).not.toBe(answered[2]?.application_user_sub);
    expect([1, 4, 5].map((index) => answered[index]?.application_user_sub)).toEqual([null, null, null]);
  });

  it('accepts a hundred users, most of them new to the application', async () => {
    const user_subs = await Promise.all(Array.from({ length: 100 }, () => registered()));

    const { status, body } = await calls.exchange({ apiKeyId: 'key-club', body: { user_subs } });

    const answered = (body as { user_subs: { application_user_sub: string }[] }).user_subs;
    expect(status).toBe(200);
    expect(new Set(answered.map(({ application_user_sub }) => application_user_sub)).size).toBe(100);
  });

  it('returns null for a user outside the audience until the user uses the application', async () => {
    const sub = await registered();
    expect(await exchanged(sub, 'key-shop')).toBeNull();

    await calls.report(as(sub, 'web-shop'));
    const viaReporter = await exchanged(sub, 'key-shop');
    const other = aNewSub();
    await calls.put({ ...as(other, 'web-shop'), body: {} });

    expect(viaReporter).toMatch(/^[0-9a-f]{32}$/);
    expect(await exchanged(other, 'key-shop')).toMatch(/^[0-9a-f]{32}$/);
  });

  const refused: Record<string, unknown> = {
    'no list': {},
    'an empty list': { user_subs: [] },
    'more than a hundred': { user_subs: Array.from({ length: 101 }, (_, index) => `u-${index}`) },
    'a list of numbers': { user_subs: [7] },
    'an empty name': { user_subs: [''] },
    'a string': '"x"',
    'broken JSON': '{',
    'no body': undefined,
  };
  for (const [what, body] of Object.entries(refused)) {
    it(`answers 400 to ${what}`, async () => {
      expect(await calls.exchange({ apiKeyId: 'key-club', body })).toMatchObject({
        status: 400,
        body: badRequest,
      });
    });
  }
});

describe('POST /user-data/read', () => {
  it('returns the identifier, the data and the agreements', async () => {
    const sub = await registered({
      user_data: { is_club: 'yes', club_id: '7', email: 'a@example.com' },
      user_agreements: [{ id: 'terms' }],
    });
    const application_user_sub = await exchanged(sub);

    const { status, body } = await read(application_user_sub);

    expect(status).toBe(200);
    expect(body).toEqual({
      application_user_sub,
      user_data: { is_club: 'yes', club_id: '7', email: 'a@example.com' },
      user_agreements: [{ id: 'terms' }],
    });
  });

  it('answers 404 for the identifier that another application has for the user', async () => {
    const sub = await registered();
    await calls.report(as(sub, 'web-shop'));
    const ofShop = await exchanged(sub, 'key-shop');

    expect(await read(ofShop, 'key-shop')).toMatchObject({ status: 200 });
    const { status, body } = await read(ofShop, 'key-club');
    expect({ status, body }).toEqual({ status: 404, body: userNotFound });
  });

  it('answers 404 for a user who has left the audience since the identifier was given out', async () => {
    const sub = await registered();
    const { version: _version, ...wide } = anApplication({ id: 'news', apiKeyIds: ['key-news'] });
    const application = await calls.applications.create(wide);
    const application_user_sub = await exchanged(sub, 'key-news');
    await calls.applications.save({ ...application, audience: 'linked' });

    expect(await read(application_user_sub, 'key-news')).toMatchObject({ status: 404, body: userNotFound });
  });

  it('answers 404 after the user is deleted, also for the old identifier after a new registration', async () => {
    const sub = await registered();
    const old = await exchanged(sub);
    await calls.remove(sub);
    expect(await read(old)).toMatchObject({ status: 404, body: userNotFound });
    expect(await exchanged(sub)).toBeNull();

    await calls.put({ ...as(sub), body: {} });
    const now = await exchanged(sub);

    expect(now).not.toBe(old);
    expect(await read(old)).toMatchObject({ status: 404, body: userNotFound });
    expect(await read(now)).toMatchObject({ status: 200 });
  });

  it('finds nothing of a deleted user, of whom only the identifiers for notifications and the counts of limits stay stored, for 30 days', async () => {
    const sub = await registered();
    const registrationId = (await calls.users.find(sub))?.registrationId;

    await calls.remove(sub);
    const again = await calls.remove(sub);

    expect(again).toBe(false);
    expect(await calls.users.find(sub)).toBeUndefined();
    expect((await calls.get(as(sub))).status).toBe(404);
    expect(await calls.users.lastChange(sub)).toMatchObject({ registrationId, isRemoved: true });
    const { Item } = await calls.database.sdk.send(
      new GetCommand({ TableName: calls.tables.Users, Key: { user_sub: sub } }),
    );
    expect(Object.keys(Item ?? {}).sort()).toEqual([
      'changed_at',
      'changes_in_hour',
      'expires_at',
      'hour_began_at',
      'is_removed',
      'registration_id',
      'user_sub',
      'version',
    ]);
    const days = (Number(Item?.expires_at) * 1_000 - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
  });

  it('is known by its registration after the user has registered again', async () => {
    const sub = await registered();
    const { registrationId } = (await calls.users.find(sub)) ?? {};
    await calls.remove(sub);
    const { changedAt = '' } = (await calls.users.lastChange(sub)) ?? {};
    await calls.put({ ...as(sub), body: {} });

    const ended: EndedRegistration[] = [];
    for await (const each of calls.users.endedSince(changedAt)) ended.push(each);

    expect(ended).toContainEqual({ registrationId, changedAt });
    expect(ended.filter((each) => each.changedAt < changedAt)).toEqual([]);
  });

  it('answers 404 after the deletion of a user whose item is unreadable', async () => {
    const sub = await registered();
    await spoil(sub);

    expect(await calls.remove(sub)).toBe(true);
    expect((await calls.get(as(sub))).status).toBe(404);
  });

  it('leaves either no user or a new registration after a concurrent change and deletion', async () => {
    const sub = await registered();

    const [put, removed] = await Promise.all([
      calls.put({ ...as(sub), body: { user_data: { late: 'x' } } }),
      calls.remove(sub),
    ]);

    expect(put.status).toBe(200);
    expect(removed).toBe(true);
    const user = await calls.users.find(sub);
    if (user !== undefined) expect(user).toMatchObject({ version: 1, data: { late: 'x' } });
  });

  const notFound: Record<string, string> = {
    'a user’s own name': 'user-1',
    SQL: "' OR '1'='1' --",
    'a condition of DynamoDB': '#pk = :pk OR attribute_exists(pk)',
    'an operator of MongoDB in text': '{"$ne": null}',
    'a key of the table': 'SUB#00000000000000000000000000000000',
    NUL: '\u0000',
    'a lone surrogate': '\ud800',
    emoji: '\u{1f600}'.repeat(100),
    'right-to-left text': '\u202eabc',
    capitals: '0123456789ABCDEF0123456789ABCDEF',
    'an identifier that was never made': '0123456789abcdef0123456789abcdef',
    'a line break at its end': '0123456789abcdef0123456789abcdef\n',
    'twenty thousand characters': 'x'.repeat(20_000),
    blanks: '   ',
    __proto__: '__proto__',
  };
  for (const [what, application_user_sub] of Object.entries(notFound)) {
    it(`answers 404 with only the documented fields to ${what}`, async () => {
      const { status, body } = await read(application_user_sub);
      expect({ status, body }).toEqual({ status: 404, body: userNotFound });
    });
  }

  const malformed: Record<string, unknown> = {
    'no body': undefined,
    'an empty body': '',
    blanks: '   ',
    'broken JSON': '{"application_user_sub":',
    'a trailing comma': '{"application_user_sub":"x",}',
    null: 'null',
    'a list': '[]',
    'a string': '"x"',
    'a number': '7',
    'another field': { application_user_Sub: 'x' },
    'nothing in it': {},
    'an empty identifier': { application_user_sub: '' },
    'a number as identifier': { application_user_sub: 7 },
    'null as identifier': { application_user_sub: null },
    'an operator of MongoDB': { application_user_sub: { $ne: null } },
    'a list as identifier': { application_user_sub: ['x'] },
    'true as identifier': { application_user_sub: true },
    'a megabyte': { application_user_sub: 'x'.repeat(1024 * 1024) },
    'a megabyte of nesting': `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
    'a form': 'application_user_sub=x',
    'bytes that are not UTF-8': '\ufffd\ufffd',
  };
  for (const [what, body] of Object.entries(malformed)) {
    it(`answers 400 with only the documented fields to ${what}`, async () => {
      const answer = await calls.read({ apiKeyId: 'key-club', body });
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: badRequest });
    });
  }

  it('answers 403 as API Gateway does to a key of no application', async () => {
    for (const apiKeyId of ['unknown', undefined]) {
      const { status, body } = await calls.read({
        ...(apiKeyId !== undefined && { apiKeyId }),
        body: { application_user_sub: 'x' },
      });
      expect({ status, body }).toEqual({ status: 403, body: { message: 'Forbidden' } });
    }
  });
});

describe('POST /user-data/read/batch', () => {
  const readBatch = (application_user_subs: unknown, apiKeyId = 'key-club') =>
    calls.readBatch({ apiKeyId, body: { application_user_subs } });
  const missing = (application_user_sub: unknown) => ({
    application_user_sub,
    error_fields: 'USER_NOT_FOUND',
  });

  it('returns a hundred users in the requested order, each as in a single read, including duplicates', async () => {
    const subs = await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        registered({ user_data: { index, 'quo"te': '\u{1f600}' }, user_agreements: [{ id: index }] }),
      ),
    );
    const { body } = await calls.exchange({ apiKeyId: 'key-club', body: { user_subs: subs } });
    const own = (body as { user_subs: { application_user_sub: string }[] }).user_subs.map(
      (each) => each.application_user_sub,
    );
    const [deleted = '', again = '', unlinked = ''] = subs;
    await calls.remove(deleted);
    await calls.remove(again);
    await calls.put({ ...as(again), body: { user_data: { index: 'new' } } });
    const foreign = await exchanged(unlinked, 'key-shop');
    const none = ['x', '\ud800', '0'.repeat(32), 'SUB#x', 'x'.repeat(1_000), foreign ?? 'f'.repeat(32)];
    const asked = [...own.slice(80), ...own.slice(0, 80), ...none, own[5], own[5], own[0], own[1]];

    const answer = await readBatch(asked);

    const singly = await Promise.all(
      asked.map(async (sub) => {
        const { status, body: one } = await read(sub);
        return status === 200 ? one : missing(sub);
      }),
    );
    expect(asked).toHaveLength(100);
    expect([answer.status, answer.body]).toEqual([200, singly]);
    expect((answer.body as object[]).filter((each) => 'error_fields' in each)).toHaveLength(10);
    expect(answer.text).toBe(JSON.stringify(singly));
  });

  it('returns nothing to another application, nor about users outside the audience', async () => {
    const [linked, other] = [await registered(), await registered()];
    const { body: reported } = await calls.report(as(linked, 'web-shop'));
    const { application_user_sub: own } = reported as { application_user_sub: string };
    const registrationId = (await calls.users.find(other))?.registrationId ?? '';
    const { applicationUserSub: unlinked = '' } =
      (await calls.subs.ensure({ userSub: other, registrationId, applicationId: 'shop' })) ?? {};
    const club = await exchanged(linked);

    const answer = await readBatch([own, unlinked, club], 'key-shop');

    expect(answer.body).toEqual([
      expect.objectContaining({ application_user_sub: own, user_data: { email: 'a@example.com' } }),
      missing(unlinked),
      missing(club),
    ]);
    expect((await readBatch([own, club])).body).toEqual([
      missing(own),
      expect.objectContaining({ application_user_sub: club }),
    ]);
  });

  it('marks the users that do not fit into the response with READ_AGAIN, whatever their data is', async () => {
    const sub = await exchanged(await registered({ user_data: { text: '"'.repeat(16_000) } }));
    const small = await exchanged(await registered());
    const asked = [...Array.from({ length: 98 }, () => sub), 'x', small];

    const { status, body, text } = await readBatch(asked);

    const entries = body as { application_user_sub: string; error_fields?: string }[];
    const left = entries.filter(({ error_fields }) => error_fields === 'READ_AGAIN');
    expect([status, entries.map(({ application_user_sub }) => application_user_sub)]).toEqual([200, asked]);
    expect(entries[98]).toEqual(missing('x'));
    expect(left.length).toBeGreaterThan(0);
    expect(entries.indexOf(left[0] as (typeof entries)[0])).toBe(100 - 1 - left.length);
    // Lambda's response to API Gateway is limited to 6 MB.
    expect(Buffer.byteLength(JSON.stringify({ body: text }))).toBeLessThan(6 * 1024 * 1024);
    const rest = await readBatch(left.map(({ application_user_sub }) => application_user_sub));
    expect((rest.body as object[]).some((each) => 'error_fields' in each)).toBe(false);
  });

  it('marks a user whose item is unreadable with READ_AGAIN, and reads the others', async () => {
    const [broken, whole] = [await registered(), await registered()];
    const subs = [await exchanged(broken), await exchanged(whole)];
    await spoil(broken);

    const { status, body } = await readBatch(subs);

    expect([status, body]).toEqual([
      200,
      [
        { application_user_sub: subs[0], error_fields: 'READ_AGAIN' },
        expect.objectContaining({ application_user_sub: subs[1], user_data: { email: 'a@example.com' } }),
      ],
    ]);
    // Only an application that may read the user hears that there is one.
    expect((await readBatch(subs, 'key-shop')).body).toEqual(subs.map((sub) => missing(sub ?? '')));
  });

  it('answers 503 if one of the tables is unavailable', async () => {
    const cause = new ServiceUnavailableError({ message: 'The table does not answer' });
    vi.spyOn(calls.users, 'findMany').mockRejectedValueOnce(cause);

    const { status, body } = await readBatch([await exchanged(await registered()), 'x']);

    expect([status, body]).toEqual([503, { status: 503, message: 'SERVICE_UNAVAILABLE' }]);
  });

  it.each([
    ['no list', 'x'],
    ['an empty list', []],
    ['more than a hundred', Array.from({ length: 101 }, () => 'x')],
    ['an empty identifier', ['x', '']],
    ['a number', ['x', 7]],
    ['nothing', undefined],
  ])('answers 400 with only the documented fields to %s', async (_what, asked) => {
    const { status, body } = await readBatch(asked);
    expect([status, body]).toEqual([400, badRequest]);
  });

  it('answers 403 as API Gateway does to a key of no application', async () => {
    const { status, body } = await readBatch(['x'], 'key-of-nobody');
    expect([status, body]).toEqual([403, { message: 'Forbidden' }]);
  });
});
