import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxmindGeolocationService } from '../../../shared/ott/outside/maxmind-geolocation-service.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, toldEntitlement } from '../../support/ott/in-memory.ts';
import {
  answers,
  type Behaviour,
  dropsTheConnection,
  hangs,
  startTinyServer,
  type TinyServer,
} from '../../support/ott/tiny-server.ts';

const COUNTRY = 'application/vnd.maxmind.com-country+json; charset=UTF-8; version=2.1';
const ERROR = 'application/vnd.maxmind.com-error+json; charset=UTF-8; version=2.0';

const inCountry = (code: string) =>
  answers(
    {
      continent: { code: 'EU', geoname_id: 6255148 },
      country: { iso_code: code, geoname_id: 2658434, names: { en: 'Some country' } },
      registered_country: { iso_code: 'US' },
      traits: { ip_address: '203.0.113.7', network: '203.0.113.0/24' },
    },
    { type: COUNTRY },
  );

const inside = (country: string | undefined) => ({ outcome: 'answered', country });

const stream = (id: string) =>
  ({ type: 'hls', url: `https://streams.example.com/${id}/index.m3u8` }) as const;

describe('the client of the geolocation service', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await startTinyServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const setUp = (...behaviours: readonly Behaviour[]) => {
    server.behave(...behaviours);
    const logged: unknown[] = [];
    const time = { now: 0 };
    const service = maxmindGeolocationService({
      url: server.url,
      secret: {
        read: async () => ({ account_id: '42', license_key: 'old' }),
        refresh: async () => ({ account_id: '42', license_key: 'new' }),
      },
      logger: {
        warn: () => {},
        info: () => {},
        error: (message, fields) => logged.push({ message, ...fields }),
      },
      cacheSeconds: 60,
      capacity: 2,
      // A service that hangs times out soon. One that answers gets enough time even on a busy machine.
      timeoutMilliseconds: behaviours[0] === hangs ? 700 : 20_000,
      clock: () => time.now,
    });
    return { service, logged, time };
  };

  it("sends requests in the form of MaxMind's web service", async () => {
    const { service } = setUp(inCountry('CH'));

    expect(await service.countryOf('203.0.113.7')).toEqual(inside('CH'));
    expect(server.received).toMatchObject([
      {
        method: 'GET',
        path: '/geoip/v2.1/country/203.0.113.7',
        headers: { authorization: `Basic ${Buffer.from('42:old').toString('base64')}` },
      },
    ]);
  });

  it.each([
    ['2001:DB8::7', '/geoip/v2.1/country/2001%3Adb8%3A%3A7'],
    ['::ffff:203.0.113.7', '/geoip/v2.1/country/203.0.113.7'],
  ])('sends the address %s as %s', async (address, path) => {
    const { service } = setUp(inCountry('CH'));

    await service.countryOf(address);

    expect(server.received.map((request) => request.path)).toEqual([path]);
  });

  it.each(['', 'localhost', '203.0.113', 'unknown', '203.0.113.7/../me'])(
    'sends no request for the invalid address %j',
    async (address) => {
      const { service } = setUp(inCountry('CH'));

      expect(await service.countryOf(address)).toEqual(inside(undefined));
      expect(server.received).toEqual([]);
    },
  );

  it('caches the country of an address for the configured time', async () => {
    const { service, time } = setUp(inCountry('CH'));

    await service.countryOf('203.0.113.7');
    time.now = 59_999;
    await service.countryOf('203.0.113.7');
    expect(server.received).toHaveLength(1);

    time.now = 60_000;
    await service.countryOf('203.0.113.7');
    expect(server.received).toHaveLength(2);
  });

  it('evicts the least recently used address when the cache is full', async () => {
    const { service } = setUp(inCountry('CH'));
    await service.countryOf('203.0.113.1');
    await service.countryOf('203.0.113.2');
    await service.countryOf('203.0.113.1');
    await service.countryOf('203.0.113.3');
    server.behave(inCountry('NO'));

    expect(await service.countryOf('203.0.113.1')).toEqual(inside('CH'));
    expect(await service.countryOf('203.0.113.2')).toEqual(inside('NO'));
  });

  it.each([
    ['knows no country', answers({ traits: {} }, { type: COUNTRY })],
    ['knows the address not', answers({ code: 'IP_ADDRESS_NOT_FOUND' }, { status: 404, type: ERROR })],
    ['finds the address reserved', answers({ code: 'IP_ADDRESS_RESERVED' }, { status: 400, type: ERROR })],
    ['names no real country', inCountry('XX')],
  ])('caches the country as unknown when the service %s', async (_, behaviour) => {
    const { service, logged, time } = setUp(behaviour, inCountry('CH'));

    expect(await service.countryOf('203.0.113.7')).toEqual(inside(undefined));
    expect(await service.countryOf('203.0.113.7')).toEqual(inside(undefined));
    expect(server.received).toHaveLength(1);
    expect(logged).toEqual([]);
    time.now = 60_000;
    expect(await service.countryOf('203.0.113.7')).toEqual(inside('CH'));
  });

  const failures: Record<string, Behaviour> = {
    'drops the connection': dropsTheConnection,
    'answers 503': answers('', { status: 503 }),
    'answers 402': answers({ code: 'OUT_OF_QUERIES' }, { status: 402, type: ERROR }),
    'answers HTML': answers('<html></html>', { type: 'text/html' }),
    'answers a list': answers([], { type: COUNTRY }),
    'answers a number for a country': answers({ country: { iso_code: 41 } }, { type: COUNTRY }),
    'answers without end': answers(`{"padding":"${'x'.repeat(200_000)}"}`, { type: COUNTRY }),
  };

  it.each(Object.entries(failures))(
    'retries once when the service %s, and does not cache the failure',
    async (_, fails) => {
      const { service, logged } = setUp(fails, fails, inCountry('CH'));

      expect(await service.countryOf('203.0.113.7')).toEqual({ outcome: 'unavailable' });
      expect(server.received).toHaveLength(2);
      expect(logged).toMatchObject([{ code: 'GEOLOCATION_UNAVAILABLE' }]);
      expect(await service.countryOf('203.0.113.7')).toEqual(inside('CH'));
    },
  );

  it('does not retry when the service hangs, and asks again after a pause', async () => {
    const { service, logged, time } = setUp(hangs, inCountry('CH'));

    expect(await service.countryOf('203.0.113.7')).toEqual({ outcome: 'unavailable' });
    expect(await service.countryOf('203.0.113.7')).toEqual({ outcome: 'unavailable' });
    expect(server.received).toHaveLength(1);
    expect(logged).toMatchObject(Array(2).fill({ code: 'GEOLOCATION_UNAVAILABLE' }));
    time.now = 2_000;
    expect(await service.countryOf('203.0.113.7')).toEqual(inside('CH'));
  });

  it('reads the secret again and retries when the service refuses the credentials', async () => {
    const { service } = setUp(answers({}, { status: 401, type: ERROR }), inCountry('CH'));

    expect(await service.countryOf('203.0.113.7')).toEqual(inside('CH'));
    const [, second] = server.received;
    expect(second?.headers.authorization).toBe(`Basic ${Buffer.from('42:new').toString('base64')}`);
  });

  const swiss = { enabled: true as const, mode: 'block' as const, countries: ['CH'] };
  const catalogue = [
    anEvent({ access: 'paid', geoblocking: swiss }),
    anEvent({ id: 'stream-ruled', access: 'paid', stream: { ...stream('a'), geoblocking: swiss } }),
    anEvent({
      id: 'coming',
      access: 'paid',
      status: 'UPCOMING',
      geoblocking: { ...swiss, statuses: ['LIVE'] },
    }),
    anEvent({ id: 'everywhere', access: 'paid' }),
    anEvent({
      id: 'nowhere',
      geoblocking: { enabled: true, mode: 'allow', countries: ['NO'] },
      stream: { ...stream('b'), geoblocking: { enabled: true, mode: 'block', countries: ['NO'] } },
    }),
    anEvent({ id: 'hidden', categories: ['opera'], geoblocking: swiss }),
  ];
  const headers = { authorization: 'Bearer anna@web' };
  const callsWith = (...behaviours: readonly Behaviour[]) => {
    const { service, time } = setUp(...behaviours);
    const calls = ottCalls({
      events: inMemoryEvents(catalogue),
      applications: [anOttApplication({ rules: [{ id: 'f', enabled: true, categories: ['football'] }] })],
      entitlement: toldEntitlement(() => ({ outcome: 'success', vip: false })),
      geolocation: service,
    });
    const answersTo = async (id: string) =>
      (await Promise.all([calls.get(id, { headers }), calls.stream(id, { headers })])).map(
        ({ status, body, headers: { 'retry-after': retryAfter } }) => {
          const { message } = body as { readonly message?: string };
          return [
            status,
            ...(message === undefined ? [] : [message]),
            ...(retryAfter === undefined ? [] : [retryAfter]),
          ];
        },
      );
    return { calls, answersTo, time };
  };
  const later = [503, 'SERVICE_UNAVAILABLE', '2'];
  const notFound = [404, 'EVENT_NOT_FOUND'];

  it('causes a 503 while the service is out if the answer depends on the country', async () => {
    const { answersTo } = callsWith(answers('', { status: 503 }));

    expect(await answersTo('final')).toEqual([later, later]);
    expect(await answersTo('stream-ruled')).toEqual([[200], later]);
    expect(await answersTo('coming')).toEqual([[200], later]);
  });

  it('changes no answer while the service is out if the answer does not depend on the country', async () => {
    const { calls, answersTo } = callsWith(answers('', { status: 503 }));

    expect(await answersTo('everywhere')).toEqual([[200], [200]]);
    // No country passes both rules of this event.
    expect(await answersTo('nowhere')).toEqual([later, notFound]);
    expect(await answersTo('hidden')).toEqual([notFound, notFound]);
    expect(await answersTo('missing')).toEqual([notFound, notFound]);
    const list = await calls.list({ headers });
    expect(list.status).toBe(200);
    expect((list.body as { event_id: string }[]).map(({ event_id }) => event_id).sort()).toEqual([
      'coming',
      'everywhere',
      'stream-ruled',
    ]);
  });

  it('hides an event from an unknown country and from a blocked country', async () => {
    const { answersTo: fromUnknown } = callsWith(answers({ traits: {} }, { type: COUNTRY }));
    expect(await fromUnknown('final')).toEqual([notFound, notFound]);

    const { answersTo: fromSwitzerland } = callsWith(inCountry('CH'));
    expect(await fromSwitzerland('final')).toEqual([notFound, notFound]);
  });

  it('uses the cached country while the service is out', async () => {
    const { answersTo } = callsWith(inCountry('NO'), inCountry('NO'), answers('', { status: 503 }));
    await answersTo('final');

    expect(await answersTo('final')).toEqual([[200], [200]]);
  });
});
