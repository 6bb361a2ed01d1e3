import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signedCookies } from '../../../shared/adapters/cloudfront/playback-signer.ts';
import { dynamoDbSessions } from '../../../shared/adapters/dynamodb/sessions.ts';
import { inParallel } from '../../../shared/in-parallel.ts';
import type { EntitlementAnswer } from '../../../shared/ott/ports/entitlement.ts';
import type { SessionStore } from '../../../shared/ott/ports/session-store.ts';
import { createStreamSessions } from '../../../shared/ott/stream-sessions.ts';
import type { ApiEventProps } from '../../support/api-event.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/dynamodb.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, toldEntitlement } from '../../support/ott/in-memory.ts';

/** The current time, since DynamoDB deletes items that expired long ago (time to live). */
const start = Math.floor(Date.now() / 1_000) * 1_000;
const sessionSeconds = 300;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const stream = (id: string) =>
  ({ type: 'hls', url: `https://streams.example.com/${id}/index.m3u8` }) as const;
const catalogue = [
  anEvent({ id: 'final', access: 'paid', stream: stream('final') }),
  anEvent({ id: 'semi-final', access: 'paid', stream: stream('semi-final') }),
  anEvent({ id: 'free', stream: stream('free') }),
];

interface StreamBody {
  readonly message?: string;
  readonly expires_at?: string;
  readonly renew_at?: string;
  readonly sessions?: readonly { readonly session: string; readonly event_id: string }[];
}

describe('how many streams a viewer plays at once', () => {
  let database: TestDatabase;
  let count = 0;
  let store: SessionStore;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    count += 1;
    const { Sessions: tableName } = await createTables(database, ['Sessions'], `case-${count}`);
    store = dynamoDbSessions({ client: database.documents, tableName });
  });

  const setUp = ({ limit = 2 as number | null, using = (real: SessionStore) => real } = {}) => {
    const state = { now: start, answer: { outcome: 'success', vip: false } as EntitlementAnswer };
    const asked = { reads: 0, writes: 0 };
    const counted: SessionStore = {
      find: (owner) => {
        asked.reads += 1;
        return store.find(owner);
      },
      save: (owner, change) => {
        asked.writes += 1;
        return store.save(owner, change);
      },
    };
    const clock = () => state.now;
    const calls = ottCalls({
      events: inMemoryEvents(catalogue),
      applications: [anOttApplication(limit === null ? {} : { streams_at_once: limit })],
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
        random: Math.random,
        logger: { warn: () => {} },
        sessionSeconds,
      }),
      clock,
    });
    const headersOf = (bearer: string | null): ApiEventProps =>
      bearer === null ? {} : { headers: { authorization: `Bearer ${bearer}` } };
    return {
      state,
      asked,
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
        } = {},
      ) => {
        state.now = start + seconds * 1_000;
        const query = { ...more, ...(session !== undefined && { session }) };
        const answer = await calls.stream(eventId, { ...headersOf(bearer), query, method });
        return { ...answer, body: (answer.body ?? {}) as StreamBody };
      },
      end: async (session: string, { seconds = 0, eventId = 'final' } = {}) => {
        state.now = start + seconds * 1_000;
        return calls.end(eventId, {
          headers: { authorization: 'Bearer anna@web', 'content-type': 'application/json' },
          body: { session },
        });
      },
    };
  };

  it('is two of twenty calls at once, and the others are told which', async () => {
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

  it('is one slot however often the same call is repeated, at once or after its answer was lost', async () => {
    const { play } = setUp();
    const id = randomUUID();

    const answers = await Promise.all(Array.from({ length: 10 }, () => play(id)));
    const repeated = await play(id, { seconds: 5 });
    const other = await play(randomUUID());

    expect(new Set([...answers, repeated, other].map(({ status }) => status))).toEqual(new Set([200]));
    expect((await store.find({ applicationId: 'fan-app', userSub: 'anna' }))?.sessions.slots).toHaveLength(2);
  });

  it('ends what is signed with the lease, and says when to renew', async () => {
    const { play } = setUp();

    const { body } = await play(randomUUID());

    expect(body.expires_at).toBe(new Date(start + sessionSeconds * 1_000).toISOString());
    const renewAt = Date.parse(body.renew_at ?? '') - start;
    expect(renewAt).toBeGreaterThan(sessionSeconds * 500);
    expect(renewAt).toBeLessThan(sessionSeconds * 1_000);
  });

  it('writes nothing in the first half of a lease, once in the second, and never for HEAD', async () => {
    const { play, asked } = setUp();
    const id = randomUUID();
    await play(id);
    asked.writes = 0;

    const first = await play(id, { seconds: 149 });
    const head = await play(id, { seconds: 200, method: 'HEAD' });
    expect([first.status, head.status, asked.writes]).toEqual([200, 200, 0]);
    expect(first.body.expires_at).toBe(new Date(start + sessionSeconds * 1_000).toISOString());
    await play(id, { seconds: 200 });
    await play(id, { seconds: 210 });
    expect(asked.writes).toBe(1);
    const full = setUp({ limit: 1 });
    expect((await full.play(randomUUID(), { method: 'HEAD', bearer: 'berta@web' })).status).toBe(200);
    expect(full.asked.writes).toBe(0);
  });

  it('hands out no signature for HEAD, which takes no slot', async () => {
    const { play } = setUp();
    const unlimited = setUp({ limit: null });

    const head = await play(randomUUID(), { method: 'HEAD' });

    expect([head.status, head.multiValueHeaders['set-cookie']]).toEqual([200, undefined]);
    const free = await unlimited.play(undefined, { method: 'HEAD' });
    expect(free.multiValueHeaders['set-cookie']).toHaveLength(3);
  });

  it('costs at most one write for each renewal of many viewers', async () => {
    const { play, asked } = setUp();
    const viewers = Array.from({ length: 500 }, (_, index) => ({
      id: randomUUID(),
      bearer: `viewer-${index}@web`,
    }));
    await inParallel(viewers, { atOnce: 20, run: ({ id, bearer }) => play(id, { bearer }) });
    Object.assign(asked, { reads: 0, writes: 0 });

    await inParallel(viewers, { atOnce: 20, run: ({ id, bearer }) => play(id, { bearer, seconds: 240 }) });

    expect(asked).toEqual({ reads: 500, writes: 500 });
  });

  it('asks no table without a limit, for free events and for a VIP, and changes nothing of their answers', async () => {
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

    expect(answers.map(({ status, body }) => [status, 'renew_at' in body])).toEqual(
      answers.map(() => [200, false]),
    );
    expect([unlimited.asked, limited.asked]).toEqual([
      { reads: 0, writes: 0 },
      { reads: 0, writes: 0 },
    ]);
  });

  it('is judged last: who may not play is told so, with a session and without', async () => {
    const { play, state, asked } = setUp();
    state.answer = { outcome: 'denied', reason: 'no_purchase', vip: false };

    expect((await play(undefined)).body.message).toBe('PURCHASE_REQUIRED');
    expect((await play(randomUUID(), { bearer: null })).body.message).toBe('LOGIN_REQUIRED');
    expect((await play(randomUUID(), { eventId: 'nothing' })).status).toBe(404);
    expect(asked).toEqual({ reads: 0, writes: 0 });
  });

  it('asks for a session that is a UUID', async () => {
    const { play } = setUp();

    expect((await play(undefined)).body).toEqual({ status: 400, message: 'SESSION_REQUIRED' });
    expect((await play('phone')).body).toMatchObject({ errors: [{ path: 'session' }] });
    expect((await play(randomUUID(), { take_over: 'phone' })).body).toMatchObject({
      errors: [{ path: 'take_over' }],
    });
  });

  it('lets a device take over, three times in ten minutes, and ends the other one for an hour', async () => {
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
      '560',
    ]);
    expect((await play(e, { take_over: d, seconds: 611 })).status).toBe(200);
  });

  it('frees a slot that the page ends, and answers the same for one that is not there', async () => {
    const { play, end } = setUp({ limit: 1 });
    const [a, b] = [randomUUID(), randomUUID()];
    await play(a);

    expect((await end(a, { seconds: 10 })).status).toBe(204);
    expect((await end(a, { seconds: 10 })).status).toBe(204);
    expect((await play(b, { seconds: 11 })).status).toBe(200);
  });

  it('is another viewer’s own affair', async () => {
    const { play } = setUp({ limit: 1 });
    const id = randomUUID();
    await play(id);

    expect((await play(id, { bearer: 'berta@web' })).status).toBe(200);
    expect((await play(randomUUID(), { bearer: 'berta@web', take_over: id })).status).toBe(200);
    expect((await play(id, { seconds: 200 })).status).toBe(200);
  });

  describe('when a process dies or the table is out of reach', () => {
    const out = Object.assign(new Error('no answer'), { $metadata: {} });

    it.each(['before a write', 'after a write'])(
      'locks nobody out for longer than a lease (%s)',
      async (moment) => {
        let isDying = true;
        const dying = (real: SessionStore): SessionStore => ({
          find: (owner) => real.find(owner),
          save: async (owner, change) => {
            if (!isDying) return real.save(owner, change);
            isDying = false;
            if (moment === 'after a write') await real.save(owner, change);
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

    it('answers 503 to what begins, goes on with what has a lease, and concerns nothing else', async () => {
      let isOut = false;
      const failing = (real: SessionStore): SessionStore => ({
        find: (owner) => (isOut ? Promise.reject(out) : real.find(owner)),
        save: (owner, change) => (isOut ? Promise.reject(out) : real.save(owner, change)),
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
