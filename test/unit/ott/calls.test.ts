import { describe, expect, it } from 'vitest';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { PlaybackSigner } from '../../../shared/ott/ports/playback-signer.ts';
import type { Geoblocking } from '../../../shared/ott/viewers/geoblocking.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, toldEntitlement, toldGeolocation } from '../../support/ott/in-memory.ts';
import { nextQuery } from '../../support/platform/next-page.ts';
import { refusal } from '../../support/platform/refusal.ts';

const HERE = '203.0.113.7';
const catalogue = Array.from({ length: 3 }, (_, index) =>
  anEvent({ id: `event-${index}`, startsAt: `2026-05-0${index + 1}T18:00:00Z`, endsAt: null }),
);

describe('the response of an OTT call', () => {
  it('contains only the basic information of an event', async () => {
    const event = anEvent({ geoblocking: { enabled: false } });
    const calls = ottCalls({ events: inMemoryEvents([event]), applications: [anOttApplication()] });

    const [one, list] = [await calls.get('final'), await calls.list()];

    const basic = {
      event_id: 'final',
      title: 'The final',
      description: 'The last match of the season',
      status: 'LIVE',
      access: 'free',
      starts_at: '2026-05-01T18:00:00.000Z',
      ends_at: '2026-05-01T20:00:00.000Z',
      image: 'https://images.example.com/final.jpg',
      categories: ['football'],
    };
    expect(one.body).toEqual(basic);
    expect(list.body).toEqual([basic]);
  });

  it('forbids caching and allows browsers of any origin, for success and errors alike', async () => {
    const calls = ottCalls({ events: inMemoryEvents(catalogue), applications: [anOttApplication()] });

    const answers = [
      await calls.list(),
      await calls.get('event-0'),
      await calls.stream('event-0'),
      await calls.get('missing'),
      await calls.list({ query: { limit: '0' } }),
      await calls.get('event-0', { headers: { authorization: 'Bearer forged' } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 400, 401]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('link'),
      });
    }
  });

  it('is the same 404 for missing and hidden events, after the same calls to outside services', async () => {
    const hidden = {
      'by rules': anOttApplication({ rules: [] }),
      'by country': anOttApplication({ geoblocking: { enabled: true, mode: 'allow', countries: ['NO'] } }),
    };
    for (const application of Object.values(hidden)) {
      const entitlement = toldEntitlement(() => ({ outcome: 'success', vip: false }));
      const geolocation = toldGeolocation(() => ({ [HERE]: 'CH' }));
      const calls = ottCalls({
        events: inMemoryEvents([anEvent({ id: 'hidden' })]),
        applications: [application],
        entitlement,
        geolocation,
      });
      const headers = { authorization: 'Bearer anna@web' };

      const answers = [
        await calls.get('hidden', { headers }),
        await calls.get('missing', { headers }),
        await calls.stream('hidden', { headers }),
        await calls.stream('missing', { headers }),
      ];

      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      const [{ status, body } = {}] = answers;
      expect({ status, body }).toEqual({
        status: 404,
        body: refusal({ status: 404, message: 'EVENT_NOT_FOUND' }),
      });
      const question = { userSub: 'anna', clientId: 'web' };
      expect(entitlement.asked).toEqual([
        { ...question, eventId: undefined },
        { ...question, eventId: undefined },
        { ...question, eventId: 'hidden' },
        { ...question, eventId: 'missing' },
      ]);
      expect(geolocation.asked).toEqual([HERE, HERE, HERE, HERE]);
    }
  });

  it('is a 404 to an id that no event can have, of which the entitlement service is told nothing', async () => {
    const entitlement = toldEntitlement(() => ({ outcome: 'success', vip: false }));
    const calls = ottCalls({
      events: inMemoryEvents(catalogue),
      applications: [anOttApplication()],
      entitlement,
    });
    const headers = { authorization: 'Bearer anna@web' };

    for (const id of ['../users', 'é', 'x'.repeat(65)]) {
      const { status, body } = await calls.stream(id, { headers });

      expect({ status, body }).toEqual({
        status: 404,
        body: refusal({ status: 404, message: 'EVENT_NOT_FOUND' }),
      });
    }
    expect(entitlement.asked).toEqual(
      Array(3).fill({ userSub: 'anna', clientId: 'web', eventId: undefined }),
    );
  });

  it('is the same for a blocked stream and for an event without a stream', async () => {
    const { stream, ...withoutStream } = anEvent({ id: 'without' });
    const blocked = anEvent({
      id: 'blocked',
      access: 'paid',
      stream: {
        type: 'hls',
        url: 'https://streams.example.com/x.m3u8',
        geoblocking: { enabled: true, mode: 'allow', countries: ['NO'] },
      },
    });
    const calls = ottCalls({
      events: inMemoryEvents([withoutStream, blocked]),
      applications: [anOttApplication()],
    });

    const answers = [
      await calls.stream('without'),
      await calls.stream('blocked'),
      await calls.stream('missing'),
    ];

    expect(stream).toBeDefined();
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await calls.get('blocked')).status).toBe(200);
  });

  it('shows an event whose own geoblocking rule replaces the rule of the application', async () => {
    const lifted = anEvent({ id: 'lifted', geoblocking: { enabled: false } });
    const calls = ottCalls({
      events: inMemoryEvents([anEvent({ id: 'ruled' }), lifted]),
      applications: [anOttApplication({ geoblocking: { enabled: true, mode: 'block', countries: ['CH'] } })],
      geolocation: toldGeolocation(() => ({ [HERE]: 'CH' })),
    });

    const [list, one, stream] = [await calls.list(), await calls.get('lifted'), await calls.stream('lifted')];

    expect(list.body).toMatchObject([{ event_id: 'lifted' }]);
    expect([one.status, stream.status, (await calls.get('ruled')).status]).toEqual([200, 200, 404]);
  });

  it('announces before the start that an event will be blocked in this country when it is LIVE', async () => {
    const swissLive = { enabled: true, mode: 'block', countries: ['CH'], statuses: ['LIVE'] } as Geoblocking;
    const url = (id: string) => `https://streams.example.com/${id}/index.m3u8`;
    const stream = (id: string) => ({ type: 'hls', url: url(id), geoblocking: swissLive }) as const;
    const paid = (id: string, fields: Partial<Event> = {}) =>
      anEvent({ id, access: 'paid', status: 'UPCOMING', ...fields });
    const events = [
      paid('own', { geoblocking: swissLive }),
      paid('stream', { stream: stream('stream') }),
      paid('stream-live', { status: 'LIVE', stream: stream('stream-live') }),
      paid('open'),
      paid('lifted', { geoblocking: { enabled: false } }),
      paid('past', { status: 'VOD', geoblocking: swissLive }),
    ];
    const told = async (country: string | undefined, client: Geoblocking | undefined) => {
      const calls = ottCalls({
        events: inMemoryEvents(events),
        applications: [anOttApplication(client === undefined ? {} : { geoblocking: client })],
        geolocation: toldGeolocation(
          (): Record<string, string> => (country === undefined ? {} : { [HERE]: country }),
        ),
      });
      const list = (await calls.list()).body as { event_id: string; blocked_when_live?: boolean }[];
      for (const listed of list) expect((await calls.get(listed.event_id)).body).toEqual(listed);
      expect(list.flatMap(({ blocked_when_live: told }) => told ?? []).every(Boolean)).toBe(true);
      return list.flatMap((each) => (each.blocked_when_live ? [each.event_id] : [])).sort();
    };

    expect(await told('CH', undefined)).toEqual(['own', 'stream', 'stream-live']);
    expect(await told(undefined, undefined)).toEqual(['own', 'stream', 'stream-live']);
    expect(await told('CH', swissLive)).toEqual(['open', 'own', 'stream']);
    expect(await told('NO', swissLive)).toEqual([]);
  });

  it('contains the signed stream URL, its cookies, and when to renew them', async () => {
    const signer: PlaybackSigner = {
      signing: 'cookies',
      sign: async ({ stream: { url } }) => ({
        url,
        expiresAt: '2026-05-01T19:10:00.000Z',
        cookies: ['a=1', 'b=2'],
      }),
    };
    const calls = ottCalls({
      events: inMemoryEvents([anEvent()]),
      applications: [anOttApplication()],
      signer,
    });

    const stream = await calls.stream('final');

    expect(stream.body).toEqual({
      event_id: 'final',
      type: 'hls',
      url: 'https://streams.example.com/final/index.m3u8',
      expires_at: '2026-05-01T19:10:00.000Z',
      renew_at: expect.stringMatching(/^2026-05-01T19:0[5-7]:\d\d\.\d{3}Z$/),
    });
    expect(stream.multiValueHeaders).toEqual({ 'set-cookie': ['a=1', 'b=2'] });
  });
});

describe('a time in a query', () => {
  const calls = ottCalls({ events: inMemoryEvents(catalogue), applications: [anOttApplication()] });

  it.each(['from', 'to'])(
    'is understood as %s also if the + of its zone was sent as it is, which makes it a space',
    async (name) => {
      const times = [
        '2026-05-01T20:01:00+02:00',
        '2026-05-01T20:01:00.000 02:00',
        '2026-05-01T20:01:00 02:00',
      ];

      const lists = await Promise.all(times.map((time) => calls.list({ query: { [name]: time } })));

      expect(lists.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(lists.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(lists[0]?.body).not.toEqual((await calls.list()).body);
    },
  );
});

describe('a request with invalid input', () => {
  const calls = ottCalls({ events: inMemoryEvents(catalogue), applications: [anOttApplication()] });

  it.each([
    ['status', 'PAUSED'],
    ['status', 'live'],
    ['status', ''],
    ['access', 'premium'],
    ['category', ''],
    ['category', 'x'.repeat(65)],
    ['from', '2026-05-01'],
    ['from', 'yesterday'],
    ['from', '2026-05-01T18:00:00'],
    ['from', '2026-05-01T18:00:00 2:00'],
    ['from', '2026-05-01 18:00:00Z'],
    ['from', '2026-02-30T18:00:00Z'],
    ['from', '1777658400'],
    ['from', '9999-12-31T23:59:59-12:00'],
    ['to', '2026-13-01T00:00:00Z'],
    ['to', ''],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1000'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['limit', ''],
    ['cursor', 'broken'],
    ['cursor', ''],
    ['offset', '10'],
  ])('is rejected with 400 naming %s when it is %j', async (name, value) => {
    const list = await calls.list({ query: { [name]: value } });

    expect(list.status).toBe(400);
    expect(list.body).toMatchObject({ status: 400, message: 'BAD_REQUEST', errors: [{ path: name }] });
  });

  it('is rejected with 400 naming "to" when "to" is before "from"', async () => {
    const list = await calls.list({ query: { from: '2026-05-02T00:00:00Z', to: '2026-05-01T00:00:00Z' } });

    expect([list.status, list.body]).toMatchObject([400, { errors: [{ path: 'to' }] }]);
  });

  it('is rejected with only the time that is wrong, and does not compare it with the other', async () => {
    const list = await calls.list({ query: { from: 'tomorrow', to: '2026-05-01T00:00:00Z' } });

    expect([list.status, list.body]).toMatchObject([400, { errors: [{ path: 'from' }] }]);
    expect((list.body as { errors: unknown[] }).errors).toHaveLength(1);
  });

  it.each([
    ['another filter', { status: 'LIVE' }],
    ['another time', { from: '2026-01-01T00:00:00Z' }],
  ])(
    'is rejected with 400 naming the cursor when the cursor belongs to a list with %s',
    async (_, filters) => {
      const cursor = nextQuery(await calls.list({ query: { limit: '1' } }))?.cursor ?? '';

      const list = await calls.list({ query: { ...filters, cursor } });

      expect(list.status).toBe(400);
      expect(list.body).toMatchObject({ errors: [{ path: 'cursor' }] });
    },
  );

  it('is accepted when only the limit differs from that of the cursor', async () => {
    const cursor = nextQuery(await calls.list({ query: { limit: '1' } }))?.cursor ?? '';

    const list = await calls.list({ query: { limit: '100', cursor } });

    expect(list.body).toMatchObject([{ event_id: 'event-1' }, { event_id: 'event-0' }]);
  });

  it.each(['a.b', 'a b', 'ä', 'x'.repeat(65), '../final', 'final#', ''])(
    'gets the 404 of a missing event for the invalid id %j',
    async (id) => {
      const answers = [await calls.get(id), await calls.stream(id), await calls.get('missing')];

      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 404, body: { message: 'EVENT_NOT_FOUND' } });
    },
  );

  it('is rejected with 400 naming a query parameter that is given twice', async () => {
    const list = await calls.list({ query: { status: ['VOD', 'LIVE'], limit: '1' } });

    expect([list.status, list.body]).toMatchObject([400, { errors: [{ path: 'status' }] }]);
  });

  it.each([
    ['list', () => calls.list({ headers: { 'X-Client-Id': ['web', 'web'] } })],
    ['event', () => calls.get('event-0', { headers: { 'x-client-id': ['other', 'web'] } })],
    ['stream', () => calls.stream('event-0', { headers: { 'x-client-id': ['web', 'web'] } })],
  ] as const)('is rejected with 400 naming x-client-id when it is given twice (%s)', async (_, call) => {
    const answer = await call();

    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ path: 'x-client-id' }] }]);
  });
});
