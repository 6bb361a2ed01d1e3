import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import { signedCookies } from '../../../shared/ott/aws/playback-signer.ts';
import type { ContractApplications } from '../../../shared/ott/ports/contract-applications.ts';
import type { EntitlementAnswer } from '../../../shared/ott/ports/entitlement.ts';
import type { SessionStore } from '../../../shared/ott/ports/session-store.ts';
import { createStreamSessions } from '../../../shared/ott/sessions/stream-sessions.ts';
import { dynamoDbContractApplications } from '../../../shared/ott/store/contract-applications.ts';
import { dynamoDbSessions } from '../../../shared/ott/store/sessions.ts';
import type { CheckTicketsDependencies } from '../../../shared/ott/tickets/check-tickets.ts';
import { ticketTokens } from '../../../shared/ott/tickets/reserved-tickets.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import type { ApiEventProps } from '../../support/ott/api-event.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, inMemoryHeldTokens, toldEntitlement } from '../../support/ott/in-memory.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { refusal } from '../../support/platform/refusal.ts';

/** The current time, since DynamoDB deletes items that expired long ago (time to live). */
const start = Math.floor(Date.now() / 1_000) * 1_000;
const sessionSeconds = 300;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const stream = (id: string) =>
  ({ type: 'hls', url: `https://streams.example.com/${id}/index.m3u8` }) as const;
const ticketContract: Address = `0x${'7'.repeat(40)}`;
const catalogue = [
  anEvent({ id: 'final', access: 'paid', stream: stream('final') }),
  anEvent({ id: 'semi-final', access: 'paid', stream: stream('semi-final') }),
  anEvent({ id: 'free', stream: stream('free') }),
  ...['gala', 'encore'].map((id) =>
    anEvent({ id, access: 'paid', stream: stream(id), tickets: [{ contractAddress: ticketContract }] }),
  ),
  ...Array.from({ length: 20 }, (_, at) => `channel-${at}`).map((id) =>
    anEvent({ id, access: 'paid', stream: stream(id) }),
  ),
];

interface StreamBody {
  readonly message?: string;
  readonly expires_at?: string;
  readonly renew_at?: string;
  readonly continuation?: string;
  readonly sessions?: readonly { readonly session: string; readonly event_id: string }[];
}

describe('the sessions of a viewer', () => {
  let database: TestDatabase;
  let count = 0;
  let store: SessionStore;
  let contracts: ContractApplications;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    count += 1;
    const tables = await createTables(database, ['Sessions', 'Contracts'], `case-${count}`);
    const client = database.documents;
    store = dynamoDbSessions({ client, tableName: tables.Sessions });
    contracts = dynamoDbContractApplications({ client, tableName: tables.Contracts });
    // The collection of `gala` and `encore` belongs to the application `fan-app`.
    await database.sdk.send(
      new PutCommand({
        TableName: tables.Contracts,
        Item: {
          pk: 'fan-app',
          sk: ticketContract,
          listed: '1',
          application: 'fan-app',
          address: ticketContract,
        },
      }),
    );
  });

  const setUp = ({
    limit = 2 as number | null,
    using = (real: SessionStore) => real,
    events = catalogue,
    others = [] as readonly Application[],
    tickets = undefined as CheckTicketsDependencies | undefined,
  } = {}) => {
    const state = { now: start, answer: { outcome: 'success', vip: false } as EntitlementAnswer };
    const asked = { reads: 0, writes: 0 };
    const counted: SessionStore = {
      find: (userSub) => {
        asked.reads += 1;
        return store.find(userSub);
      },
      save: (userSub, change) => {
        asked.writes += 1;
        return store.save(userSub, change);
      },
    };
    const clock = () => state.now;
    const application: { -readonly [Key in keyof Application]: Application[Key] } = anOttApplication(
      limit === null ? {} : { streams_at_once: limit },
    );
    const calls = ottCalls({
      events: inMemoryEvents(events),
      applications: [application, ...others],
      contracts,
      ...(tickets && { tickets }),
      entitlement: toldEntitlement(() => state.answer),
      signer: signedCookies({
        secret: { read: async () => ({ key_pair_id: 'K2JCJMDEHXQW5F', private_key }) },
        lifetimeSeconds: 14_400,
        clock,
        domain: 'example.com',
      }),
      sessions: createStreamSessions({
        store: using(counted),
        clock,
        newContinuation: randomUUID,
        logger: { warn: () => {} },
        sessionSeconds,
      }),
      clock,
    });
    const headersOf = (bearer: string | null): ApiEventProps =>
      bearer === null ? {} : { headers: { authorization: `Bearer ${bearer}` } };
    const call = async (eventId: string, { seconds = 0, ...props }: ApiEventProps & { seconds?: number }) => {
      state.now = start + seconds * 1_000;
      const answer = await calls.stream(eventId, props);
      return { ...answer, body: (answer.body ?? {}) as StreamBody };
    };
    /** A page as in the customer guide: each call presents the continuation of the page's last response. */
    const newPage = (
      session: string,
      { bearer = 'anna@web', address = '192.0.2.1' }: { bearer?: string; address?: string } = {},
    ) => {
      let continuation: string | undefined;
      const ask = (seconds: number, eventId: string, more: Record<string, string>) =>
        call(eventId, {
          ...headersOf(bearer),
          sourceIp: address,
          seconds,
          query: { session, ...(continuation !== undefined && { continuation }), ...more },
        });
      return {
        /** The response does not reach the page. */
        lose: (seconds: number, eventId = 'final') => ask(seconds, eventId, {}),
        play: async (seconds: number, eventId = 'final', more: Record<string, string> = {}) => {
          const answer = await ask(seconds, eventId, more);
          continuation = answer.body.continuation ?? continuation;
          return answer;
        },
      };
    };
    return {
      state,
      asked,
      application,
      play: async (
        session: string | undefined,
        {
          seconds = 0,
          eventId = 'final',
          bearer = 'anna@web' as string | null,
          method = 'GET',
          ...more
        }: {
          seconds?: number;
          eventId?: string;
          bearer?: string | null;
          method?: string;
          take_over?: string;
          continuation?: string | undefined;
        } = {},
      ) => {
        const query = { ...more, ...(session !== undefined && { session }) };
        return call(eventId, { ...headersOf(bearer), query, method, seconds });
      },
      newPage,
      end: async (session: string, { seconds = 0, eventId = 'final', bearer = 'anna@web' } = {}) => {
        state.now = start + seconds * 1_000;
        return calls.end(eventId, {
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
          body: { session },
        });
      },
    };
  };

  it('are limited to two for twenty concurrent calls, and rejected calls name these two', async () => {
    const { play } = setUp();
    const ids = Array.from({ length: 20 }, () => randomUUID());

    const answers = await Promise.all(ids.map((id) => play(id)));

    const playing = ids.filter((_, index) => answers[index]?.status === 200);
    expect(playing).toHaveLength(2);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body.message]).toEqual([403, 'TOO_MANY_STREAMS']);
      expect(body.sessions?.map(({ session }) => session).sort()).toEqual(playing.sort());
    }
  });

  it('are not duplicated by a repeated call, at once or after a lost response', async () => {
    const { play } = setUp();
    const id = randomUUID();

    const answers = await Promise.all(Array.from({ length: 10 }, () => play(id)));
    const repeated = await play(id, { seconds: 5 });
    const other = await play(randomUUID());

    expect(new Set([...answers, repeated, other].map(({ status }) => status))).toEqual(new Set([200]));
    expect((await store.find('anna'))?.sessions.slots).toHaveLength(2);
  });

  it('have signatures that end with the lease, and a time of renewal before that', async () => {
    const { play } = setUp();

    const { body } = await play(randomUUID());

    expect(body.expires_at).toBe(new Date(start + sessionSeconds * 1_000).toISOString());
    const renewAt = Date.parse(body.renew_at ?? '') - start;
    expect(renewAt).toBeGreaterThan(sessionSeconds * 500);
    expect(renewAt).toBeLessThan(sessionSeconds * 1_000);
  });

  it('need no write in the first half of a lease, one in the second half, and none for HEAD', async () => {
    const { play, newPage, asked } = setUp();
    const id = randomUUID();
    const page = newPage(id);
    const { continuation } = (await page.play(0)).body;
    asked.writes = 0;

    const first = await page.play(149);
    const head = await play(id, { seconds: 200, method: 'HEAD', continuation });
    expect([first.status, head.status, asked.writes]).toEqual([200, 200, 0]);
    expect(first.body).toMatchObject({
      expires_at: new Date(start + sessionSeconds * 1_000).toISOString(),
      continuation,
    });
    await page.play(200);
    await page.play(210);
    expect(asked.writes).toBe(1);
    const full = setUp({ limit: 1 });
    expect((await full.play(randomUUID(), { method: 'HEAD', bearer: 'berta@web' })).status).toBe(200);
    expect(full.asked.writes).toBe(0);
  });

  it('are not started by HEAD requests, which get no signature', async () => {
    const { play } = setUp();
    const unlimited = setUp({ limit: null });

    const head = await play(randomUUID(), { method: 'HEAD' });

    expect([head.status, head.multiValueHeaders['set-cookie']]).toEqual([200, undefined]);
    const free = await unlimited.play(undefined, { method: 'HEAD' });
    expect(free.multiValueHeaders['set-cookie']).toHaveLength(3);
  });

  it('need at most one write per renewal of many viewers', async () => {
    const { newPage, asked } = setUp();
    const pages = Array.from({ length: 100 }, (_, index) =>
      newPage(randomUUID(), { bearer: `viewer-${index}@web` }),
    );
    await inParallel(pages, { atOnce: 20, run: (page) => page.play(0) });
    Object.assign(asked, { reads: 0, writes: 0 });

    await inParallel(pages, { atOnce: 20, run: (page) => page.play(240) });

    // On a busy machine, a read may take too long. Then the page goes on with the lease that it has.
    expect(asked.reads).toBe(100);
    expect(asked.writes).toBeGreaterThan(50);
    expect(asked.writes).toBeLessThanOrEqual(100);
  });

  it('are not used without a limit, for free events and for a VIP', async () => {
    const unlimited = setUp({ limit: null });
    const limited = setUp();
    limited.state.answer = { outcome: 'success', vip: true };

    const answers = [
      await unlimited.play(undefined),
      await unlimited.play('no UUID at all'),
      await limited.play(undefined),
      await limited.play(undefined, { eventId: 'free' }),
      await limited.play(undefined, { eventId: 'free', bearer: null }),
    ];

    const wholeLife = new Date(start + 14_400_000).toISOString();
    expect(answers.map(({ status, body }) => [status, body.expires_at])).toEqual(
      answers.map(() => [200, wholeLife]),
    );
    expect([unlimited.asked, limited.asked]).toEqual([
      { reads: 0, writes: 0 },
      { reads: 0, writes: 0 },
    ]);
  });

  it('are checked last, so that a viewer without access gets that reason instead', async () => {
    const { play, state, asked } = setUp();
    state.answer = { outcome: 'denied', reason: 'no_purchase', vip: false };

    expect((await play(undefined)).body.message).toBe('PURCHASE_REQUIRED');
    expect((await play(randomUUID(), { bearer: null })).body.message).toBe('LOGIN_REQUIRED');
    expect((await play(randomUUID(), { eventId: 'nothing' })).status).toBe(404);
    expect(asked).toEqual({ reads: 0, writes: 0 });
  });

  it('require an id that is a UUID', async () => {
    const { play } = setUp();

    expect((await play(undefined)).body).toEqual(refusal({ status: 400, message: 'SESSION_REQUIRED' }));
    expect((await play('phone')).body).toMatchObject({ errors: [{ path: 'session' }] });
    expect((await play(randomUUID(), { take_over: 'phone' })).body).toMatchObject({
      errors: [{ path: 'take_over' }],
    });
  });

  it('can be taken over three times in ten minutes, which ends the other session for an hour', async () => {
    const { play } = setUp({ limit: 1 });
    const [a, b, c, d, e] = Array.from({ length: 5 }, () => randomUUID());
    await play(a);

    expect((await play(b, { take_over: a, seconds: 10 })).status).toBe(200);
    expect((await play(a, { seconds: 20 })).body.message).toBe('SESSION_ENDED');
    expect((await play(c, { take_over: b, seconds: 30 })).status).toBe(200);
    expect((await play(d, { take_over: c, seconds: 40 })).status).toBe(200);
    const refused = await play(e, { take_over: d, seconds: 50 });
    expect([refused.status, refused.body.message, refused.headers['retry-after']]).toEqual([
      403,
      'TOO_MANY_SESSION_CHANGES',
      // The lease of the only session ends before the first takeover is ten minutes ago.
      '290',
    ]);
    expect((await play(e, { take_over: d, seconds: 339 })).status).toBe(403);
    expect((await play(e, { take_over: d, seconds: 340 })).status).toBe(200);
  });

  it('free their slot when the page ends them, and ending a missing session gets the same answer', async () => {
    const { play, end } = setUp({ limit: 1 });
    const [a, b] = [randomUUID(), randomUUID()];
    await play(a);

    expect((await end(a, { seconds: 10 })).status).toBe(204);
    expect((await end(a, { seconds: 10 })).status).toBe(204);
    expect((await play(b, { seconds: 11 })).status).toBe(200);
  });

  it('are counted for each viewer separately', async () => {
    const { play } = setUp({ limit: 1 });
    const id = randomUUID();
    await play(id);

    expect((await play(id, { bearer: 'berta@web' })).status).toBe(200);
    expect((await play(randomUUID(), { bearer: 'berta@web', take_over: id })).status).toBe(200);
    expect((await play(id, { seconds: 200 })).status).toBe(200);
  });

  describe('of twenty devices with one session id', () => {
    const devicesOf = (newPage: ReturnType<typeof setUp>['newPage']) => {
      const session = randomUUID();
      return Array.from({ length: 20 }, (_, at) => newPage(session, { address: `198.51.100.${at + 1}` }));
    };
    const playing = (answers: readonly { readonly status: number }[]) =>
      answers.filter(({ status }) => status === 200).length;

    it('are reduced to one after each device has renewed once, in sequence or concurrently', async () => {
      for (const renew of ['one by one', 'at once']) {
        const { newPage } = setUp();
        const devices = devicesOf((id) => newPage(id, { bearer: `${renew}@web` }));
        await Promise.all(devices.map((device) => device.play(0)));

        const renewals = [];
        if (renew === 'at once') renewals.push(...(await Promise.all(devices.map((one) => one.play(200)))));
        else for (const [at, device] of devices.entries()) renewals.push(await device.play(200 + at));

        expect(playing(renewals)).toBe(1);
        for (const { body } of renewals.filter(({ status }) => status !== 200)) {
          expect(body.message).toMatch(/^(SESSION_ENDED|TOO_MANY_SESSION_CHANGES)$/);
        }
        for (const seconds of [400, 600, 800]) {
          expect(playing(await Promise.all(devices.map((device) => device.play(seconds))))).toBe(1);
        }
      }
    });

    it('are at most two if the devices never send a continuation', async () => {
      const { play } = setUp();
      const session = randomUUID();
      let most = 0;
      for (const seconds of [0, 200, 310, 600, 900, 1_000]) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => play(session, { seconds })));
        if (seconds > 0) most = Math.max(most, playing(answers));
      }

      expect(most).toBeLessThanOrEqual(2);
    });
  });

  it('record the addresses of the renewals', async () => {
    const { newPage } = setUp();
    const session = randomUUID();
    const devices = Array.from({ length: 5 }, (_, at) => newPage(session, { address: `203.0.113.${at}` }));
    await devices[0]?.play(0);

    for (const device of devices) await device.play(200);

    const { today } = (await store.find('anna'))?.sessions ?? {};
    expect(today).toMatchObject({ begun: 1, refused: 4, addresses: { length: 5 } });
  });

  it.each([
    ['whole', 0],
    ['part of a', 900],
  ])('cannot start in the last second of a window that ends with a %s second', async (_, rest) => {
    const until = new Date(start + 30_000 + rest).toISOString();
    const { play } = setUp({
      events: [
        anEvent({ id: 'final', access: 'paid', stream: { ...stream('final'), availableUntil: until } }),
      ],
    });

    const before = await play(randomUUID(), { seconds: 28.5 });
    const last = await play(randomUUID(), { seconds: 29.5 + rest / 1_000 });

    expect([before.status, before.body.expires_at]).toEqual([200, new Date(start + 30_000).toISOString()]);
    expect([last.status, last.body.message]).toEqual([404, 'STREAM_NOT_AVAILABLE']);
  });

  describe('after the limit was lowered', () => {
    it('end at their next renewal, the newest first', async () => {
      const { newPage, application } = setUp({ limit: 3 });
      const pages = Array.from({ length: 3 }, () => newPage(randomUUID()));
      for (const page of pages) await page.play(0);
      application.ott = { ...application.ott, streams_at_once: 1 };

      const renewals = [];
      for (const page of pages.toReversed()) renewals.push(await page.play(200));

      expect(renewals.map(({ status, body }) => [status, body.message])).toEqual([
        [403, 'TOO_MANY_STREAMS'],
        [403, 'TOO_MANY_STREAMS'],
        [200, undefined],
      ]);
    });
  });

  describe('of a viewer who changes channels', () => {
    it('remain one session, whether twenty changes take an evening or a minute', async () => {
      for (const secondsEach of [720, 3]) {
        const page = setUp({ limit: 1 }).newPage(randomUUID(), { bearer: `every-${secondsEach}@web` });

        const evening = [];
        for (let at = 0; at < 20; at += 1) evening.push(await page.play(at * secondsEach, `channel-${at}`));

        expect(evening.map(({ status }) => status)).toEqual(evening.map(() => 200));
      }
    });

    it('are rejected after twenty changes in ten minutes, with the time of the next possible change', async () => {
      const { newPage } = setUp({ limit: 1 });
      const [page, other] = [newPage(randomUUID()), newPage(randomUUID())];
      for (let at = 0; at <= 20; at += 1) await page.play(at * 10, `channel-${at % 20}`);

      // The lease that began with the last change ends before the first change is ten minutes ago.
      const refused = await page.play(210, 'channel-5');
      expect([refused.status, refused.body.message, refused.headers['retry-after']]).toEqual([
        403,
        'TOO_MANY_SESSION_CHANGES',
        '290',
      ]);
      expect((await page.play(499, 'channel-5')).status).toBe(403);
      expect((await other.play(499)).body.message).toBe('TOO_MANY_STREAMS');
      expect((await page.play(500, 'channel-5')).status).toBe(200);
    });
  });

  describe('of an event with tickets, in several applications', () => {
    const ticketOfAnna: CheckTicketsDependencies = {
      users: { registrationsOf: async () => new Map([['anna', 'registration']]) },
      wallets: {
        find: async () => ({
          userSub: 'anna',
          registrationId: 'registration',
          version: 1,
          wallets: [{ address: ticketContract, linkedAt: start, opensFrom: start, proof: 'proof' }],
        }),
      },
      voidTickets: { ofContracts: async () => new Map() },
      ...ticketTokens(inMemoryHeldTokens(), { clock: () => start }),
      holdings: { ask: async (_, askedAt) => ({ isHeld: true, askedAt }) },
      clock: () => start,
      logger: { warn: () => {}, error: () => {} },
      ticketSeconds: sessionSeconds,
    };
    const open = () => anOttApplication({}, 'open');
    const strict = () => anOttApplication({ streams_at_once: 1 }, 'strict');

    it('are limited by the tickets’ application, even through an application without a limit', async () => {
      const { play } = setUp({ others: [open()] });
      const calls = Array.from({ length: 12 }, () =>
        play(randomUUID(), { eventId: 'gala', bearer: 'anna@open-web' }),
      );

      const answers = await Promise.all(calls);

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      expect((await play(randomUUID(), { eventId: 'encore' })).body.message).toBe('TOO_MANY_STREAMS');
      expect((await play(undefined, { eventId: 'gala', bearer: 'anna@open-web' })).body.message).toBe(
        'SESSION_REQUIRED',
      );
    });

    it('are limited in the same way for a viewer who holds a ticket and has bought nothing', async () => {
      const { play, state } = setUp({ others: [open()], tickets: ticketOfAnna });
      state.answer = { outcome: 'denied', reason: 'no_purchase', vip: false };
      const calls = Array.from({ length: 10 }, () =>
        play(randomUUID(), { eventId: 'gala', bearer: 'anna@open-web' }),
      );

      expect((await Promise.all(calls)).filter(({ status }) => status === 200)).toHaveLength(2);
    });

    it('are limited by the smallest limit that applies, and each application counts its own streams', async () => {
      const { play } = setUp({ limit: 3, others: [strict()] });
      const statusOf = async (eventId: string, bearer: string) => {
        const { status, body } = await play(randomUUID(), { eventId, bearer });
        return body.message ?? status;
      };

      expect(await statusOf('gala', 'anna@strict-web')).toBe(200);
      expect(await statusOf('encore', 'anna@strict-web')).toBe('TOO_MANY_STREAMS');
      expect(await statusOf('final', 'anna@strict-web')).toBe('TOO_MANY_STREAMS');
      expect(await statusOf('gala', 'anna@web')).toBe(200);
      expect(await statusOf('final', 'anna@web')).toBe(200);
      expect(await statusOf('encore', 'anna@web')).toBe('TOO_MANY_STREAMS');
    });

    it('are listed and taken over only for the application whose limit is reached', async () => {
      const { play } = setUp({ limit: 1, others: [strict(), open()] });
      const [other, gala, next] = [randomUUID(), randomUUID(), randomUUID()];
      await play(other, { bearer: 'anna@strict-web' });
      await play(gala, { eventId: 'gala', bearer: 'anna@open-web' });

      const refused = await play(next, { eventId: 'encore', bearer: 'anna@web' });
      const taken = await play(next, { eventId: 'encore', bearer: 'anna@web', take_over: gala });

      expect(refused.body.sessions).toEqual([expect.objectContaining({ session: gala, event_id: 'gala' })]);
      expect(taken.status).toBe(200);
      expect((await play(gala, { eventId: 'gala', bearer: 'anna@open-web' })).body.message).toBe(
        'SESSION_ENDED',
      );
    });

    it("count for the other application when they move to that application's event", async () => {
      const { newPage } = setUp({ limit: 1, others: [strict()] });
      const session = randomUUID();
      const page = (id: string, bearer: string) => newPage(id, { bearer });
      await page(randomUUID(), 'anna@web').play(0, 'gala');
      await page(session, 'anna@strict-web').play(0, 'final');

      const moved = await page(session, 'anna@strict-web').play(10, 'encore');

      expect(moved.body.message).toBe('TOO_MANY_STREAMS');
    });

    it('free their slot when a page of an application without a limit ends them', async () => {
      const { play, end } = setUp({ limit: 1, others: [open()] });
      const session = randomUUID();
      await play(session, { eventId: 'gala', bearer: 'anna@open-web' });

      expect((await end(session, { eventId: 'gala', bearer: 'anna@open-web' })).status).toBe(204);
      expect((await play(randomUUID(), { eventId: 'gala' })).status).toBe(200);
    });

    it('are limited by the application that sold the access, if the entitlement service names it', async () => {
      const { play, state } = setUp({ others: [open()] });
      state.answer = { outcome: 'success', vip: false, seller: 'fan-app' };

      const answers = await Promise.all(
        Array.from({ length: 12 }, () => play(randomUUID(), { bearer: 'anna@open-web' })),
      );

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    });

    it('are not limited for other events of an application without a limit', async () => {
      const { play, asked } = setUp({ others: [open()] });

      const answers = await Promise.all(
        Array.from({ length: 12 }, () => play(undefined, { bearer: 'anna@open-web' })),
      );

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(asked).toEqual({ reads: 0, writes: 0 });
    });
  });

  it('are not ended by a takeover while a slot is free', async () => {
    const { play } = setUp({ limit: 2 });
    const [a, b] = [randomUUID(), randomUUID()];
    await play(a);

    expect((await play(b, { take_over: a })).status).toBe(200);
    expect((await play(a, { seconds: 1 })).status).toBe(200);
  });

  describe('when a process dies or the table is unavailable', () => {
    const out = Object.assign(new Error('no answer'), { $metadata: {} });

    it.each(['before a write', 'after a write'])(
      'block no viewer for longer than a lease (%s)',
      async (moment) => {
        let isDying = true;
        const dying = (real: SessionStore): SessionStore => ({
          find: (userSub) => real.find(userSub),
          save: async (userSub, change) => {
            if (!isDying) return real.save(userSub, change);
            isDying = false;
            if (moment === 'after a write') await real.save(userSub, change);
            throw out;
          },
        });
        const { play } = setUp({ limit: 1, using: dying });
        const id = randomUUID();

        expect((await play(id)).status).toBe(503);
        // The reloaded page keeps its slot. Another device waits at most until the lease expires.
        expect((await play(id, { seconds: 1 })).status).toBe(200);
        expect((await play(randomUUID(), { seconds: sessionSeconds + 2 })).status).toBe(200);
      },
    );

    it('cannot start (503), while leased sessions and other streams continue', async () => {
      let isOut = false;
      const failing = (real: SessionStore): SessionStore => ({
        find: (userSub) => (isOut ? Promise.reject(out) : real.find(userSub)),
        save: (userSub, change) => (isOut ? Promise.reject(out) : real.save(userSub, change)),
      });
      const { play, end } = setUp({ using: failing });
      const id = randomUUID();
      await play(id);
      isOut = true;

      const begins = await play(randomUUID(), { seconds: 10 });
      expect([begins.status, begins.body.message, begins.headers['retry-after']]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        '1',
      ]);
      const goesOn = await play(id, { seconds: 200 });
      expect([goesOn.status, goesOn.body.expires_at]).toEqual([
        200,
        new Date(start + sessionSeconds * 1_000).toISOString(),
      ]);
      expect((await play(id, { seconds: sessionSeconds + 1 })).status).toBe(503);
      expect((await play(undefined, { eventId: 'free' })).status).toBe(200);
      expect((await end(id, { seconds: 20 })).status).toBe(503);
    });
  });
});
