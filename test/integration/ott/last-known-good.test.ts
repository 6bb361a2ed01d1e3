import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { signedCookies } from '../../../shared/ott/aws/playback-signer.ts';
import type { EntitlementAnswer } from '../../../shared/ott/ports/entitlement.ts';
import type { GrantMemory } from '../../../shared/ott/ports/grant-memory.ts';
import { dynamoDbGrants, dynamoDbTicketGrants } from '../../../shared/ott/store/grants.ts';
import { withLastKnownGood } from '../../../shared/ott/streams/last-known-good.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, toldGeolocation } from '../../support/ott/in-memory.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const HERE = '203.0.113.7';
const boundSeconds = 120;
/** The current time, since DynamoDB deletes items that expired long ago (time to live). */
const start = Math.floor(Date.now() / 1_000) * 1_000;
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const granted: EntitlementAnswer = { outcome: 'success', vip: false };
const denied: EntitlementAnswer = { outcome: 'denied', reason: 'denied', vip: false };
const out: EntitlementAnswer = { outcome: 'unavailable' };

const stream = (id: string) =>
  ({ type: 'hls', url: `https://streams.example.com/${id}/index.m3u8` }) as const;
const catalogue = [
  anEvent({ access: 'paid', stream: stream('final') }),
  anEvent({ id: 'other', access: 'paid', stream: stream('other') }),
  anEvent({
    id: 'ending',
    access: 'paid',
    stream: { ...stream('ending'), availableUntil: at(30) },
  }),
  anEvent({ id: 'free', stream: stream('free') }),
];

describe('a viewer during an outage of the entitlement service', () => {
  let database: TestDatabase;
  let count = 0;
  let grants: GrantMemory;
  let grantsTable: string;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    count += 1;
    ({ Grants: grantsTable } = await createTables(database, ['Grants'], `case-${count}`));
    grants = dynamoDbGrants({ client: database.documents, tableName: grantsTable });
  });

  const setUp = (memory: GrantMemory | undefined = grants) => {
    const state = { now: start, answer: granted, logged: [] as unknown[] };
    const clock = () => state.now;
    const entitlement = { check: async () => state.answer };
    const calls = ottCalls({
      events: inMemoryEvents(catalogue),
      applications: [anOttApplication(), anOttApplication({}, 'tv')],
      entitlement: withLastKnownGood({
        entitlement,
        grants: memory,
        boundMilliseconds: boundSeconds * 1_000,
        clock,
        logger: { warn: (_, fields) => state.logged.push(fields) },
      }),
      geolocation: toldGeolocation(() => ({ [HERE]: 'NO' })),
      signer: signedCookies({
        secret: { read: async () => ({ key_pair_id: 'K2JCJMDEHXQW5F', private_key }) },
        lifetimeSeconds: 14_400,
        clock,
        domain: 'example.com',
      }),
      clock,
    });
    return {
      state,
      /** Asks for a stream this many seconds after the start. */
      ask: async (seconds: number, answer: EntitlementAnswer, bearer = 'anna@web', eventId = 'final') => {
        Object.assign(state, { now: start + seconds * 1_000, answer });
        const { status, body, multiValueHeaders } = await calls.stream(eventId, {
          headers: { authorization: `Bearer ${bearer}` },
          sourceIp: HERE,
        });
        const { message, expires_at } = body as { readonly message?: string; readonly expires_at?: string };
        return { status, message, expires_at, cookies: multiValueHeaders['set-cookie']?.length ?? 0 };
      },
    };
  };
  const unavailable = { status: 503, message: 'ENTITLEMENT_UNAVAILABLE', cookies: 0 };

  it('with an earlier grant can continue until the time limit, and not after it', async () => {
    const { ask } = setUp();
    await ask(0, granted);

    expect(await ask(60, out)).toMatchObject({ status: 200, expires_at: at(boundSeconds) });
    expect(await ask(119.9, out)).toMatchObject({ status: 200, expires_at: at(boundSeconds) });
    expect(await ask(120, out)).toMatchObject(unavailable);
    expect(await ask(600, out)).toMatchObject(unavailable);
  });

  it("can continue only to the end of the stream's window if that is before the time limit", async () => {
    const { ask } = setUp();
    await ask(0, granted, 'anna@web', 'ending');

    expect(await ask(10, out, 'anna@web', 'ending')).toMatchObject({ status: 200, expires_at: at(30) });
    expect(await ask(30, out, 'anna@web', 'ending')).toMatchObject({ message: 'STREAM_NOT_AVAILABLE' });
  });

  it('gets no access from the grant of another viewer, client or event', async () => {
    const { ask } = setUp();
    await ask(0, granted);

    expect(await ask(1, out, 'berta@web')).toMatchObject(unavailable);
    expect(await ask(1, out, 'anna@tv-web')).toMatchObject(unavailable);
    expect(await ask(1, out, 'anna@web', 'other')).toMatchObject(unavailable);
  });

  it('gets no access if the last answer was a denial', async () => {
    const { ask } = setUp();

    expect(await ask(0, denied, 'berta@web')).toMatchObject({ status: 403 });
    expect(await ask(1, out, 'berta@web')).toMatchObject(unavailable);
    await ask(2, granted);
    expect(await ask(3, { outcome: 'denied', reason: 'no_purchase', vip: false })).toMatchObject({
      message: 'PURCHASE_REQUIRED',
    });
    expect(await ask(4, out)).toMatchObject(unavailable);
    expect(await ask(5, granted)).toMatchObject({ status: 200 });
    expect(await ask(6, out)).toMatchObject({ status: 200, expires_at: at(5 + boundSeconds) });
  });

  it('is judged by the answer to the latest request, in whatever order answers are stored', async () => {
    const question = { userSub: 'anna', clientId: 'web', eventId: 'final' };
    const record = (isGrant: boolean, askedAt: number) =>
      grants.record(question, { isGrant, askedAt, forgottenAt: askedAt + 1 });

    await record(false, start + 2);
    await record(true, start + 1);
    expect(await grants.granted(question)).toBeUndefined();
    await record(true, start + 2);
    expect(await grants.granted(question)).toBeUndefined();
    await record(true, start + 3);
    expect(await grants.granted(question)).toMatchObject({ askedAt: start + 3 });
    await record(false, start + 3);
    expect(await grants.granted(question)).toBeUndefined();
  });

  it('gets no access from a grant with fields of a later release, which is logged once', async () => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const question = { userSub: 'anna', clientId: 'web', eventId: 'final' };
    const tickets = dynamoDbTicketGrants({ client: database.documents, tableName: grantsTable });
    const storeLater = async () => {
      const { Items = [] } = await database.documents.scan({ TableName: grantsTable });
      for (const Item of Items) {
        await database.documents.put({ TableName: grantsTable, Item: { ...Item, only_on: 'tv' } });
      }
    };
    const forgottenAt = start + 600_000;
    await grants.record(question, { isGrant: true, askedAt: start, forgottenAt });
    await tickets.record(question, { isGrant: true, askedAt: start, forgottenAt });
    expect(await grants.granted(question)).toMatchObject({ askedAt: start });
    expect(await tickets.granted(question)).toEqual({ askedAt: start });

    expect(await tickets.undenied(question)).toEqual({ askedAt: start });

    await storeLater();
    expect(await grants.granted(question)).toBeUndefined();
    expect(await tickets.granted(question)).toBeUndefined();
    expect(await tickets.undenied(question)).toBeUndefined();

    await grants.record(question, { isGrant: false, isDenial: true, askedAt: start + 1, forgottenAt });
    await storeLater();
    await tickets.record(question, { isGrant: true, askedAt: start + 1, forgottenAt });
    expect(await tickets.granted(question)).toBeUndefined();
    await grants.record(question, { isGrant: true, askedAt: start + 2, forgottenAt });
    expect(await grants.granted(question)).toMatchObject({ askedAt: start + 2 });
    expect(await tickets.granted(question)).toEqual({ askedAt: start + 1 });
    expect(told.mock.calls.map(([, fields]) => fields)).toEqual([
      { code: 'LATER_DATA', kind: 'remembered decision', unknown: ['only_on'] },
    ]);
    told.mockRestore();
  });

  it('gets no access from a ticket that was checked after the service denied the viewer, until it answers otherwise', async () => {
    const question = { userSub: 'anna', clientId: 'web', eventId: 'final' };
    const tickets = dynamoDbTicketGrants({ client: database.documents, tableName: grantsTable });
    const forgottenAt = start + 600_000;

    await grants.record(question, { isGrant: false, isDenial: true, askedAt: start, forgottenAt });
    await tickets.record(question, { isGrant: true, askedAt: start + 1_000, forgottenAt });
    expect(await tickets.granted(question)).toBeUndefined();

    await grants.record(question, { isGrant: false, askedAt: start + 2_000, forgottenAt });
    expect(await tickets.granted(question)).toEqual({ askedAt: start + 1_000 });
  });

  it('gets a grant that names the application that sold the access', async () => {
    const answers: EntitlementAnswer[] = [{ outcome: 'success', vip: false, seller: 'arena' }, out];
    const remembering = withLastKnownGood({
      entitlement: { check: async () => answers.shift() ?? out },
      grants,
      boundMilliseconds: boundSeconds * 1_000,
      clock: () => start,
      logger: { warn: () => {} },
    });
    const question = { userSub: 'anna', clientId: 'web', eventId: 'final' };
    await remembering.check(question);

    expect(await remembering.check(question)).toMatchObject({ outcome: 'success', seller: 'arena' });
  });

  it('gets no access because of an earlier VIP status, or of a grant before that', async () => {
    const { ask } = setUp();
    await ask(0, granted);

    expect(await ask(1, { outcome: 'success', vip: true })).toMatchObject({ status: 200 });
    expect(await ask(2, out)).toMatchObject(unavailable);
  });

  it('can play free events, without the time limit of a grant', async () => {
    const { ask } = setUp();
    await ask(0, granted, 'anna@web', 'free');

    for (const viewer of ['anna@web', 'berta@web']) {
      expect(await ask(60, out, viewer, 'free')).toMatchObject({
        status: 200,
        expires_at: at(60 + 14_400),
      });
    }
  });

  it('gets the usual answers while the table of grants fails, which is logged', async () => {
    const fails = async () => {
      throw new Error('no such table');
    };
    const { ask, state } = setUp({ record: fails, granted: fails });

    expect(await ask(0, granted)).toMatchObject({ status: 200, expires_at: at(14_400) });
    expect(await ask(1, out)).toMatchObject(unavailable);
    expect(state.logged).toMatchObject([{ code: 'GRANT_NOT_REMEMBERED' }, { code: 'GRANT_NOT_READ' }]);
  });
});
