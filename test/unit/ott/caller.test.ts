import { describe, expect, it, vi } from 'vitest';
import type { GeolocationService } from '../../../shared/ott/ports/geolocation.ts';
import { noGeolocation } from '../../../shared/ott/ports/geolocation.ts';
import type { Geoblocking } from '../../../shared/ott/viewers/geoblocking.ts';
import { locateByDistribution } from '../../../shared/ott/viewers/request-location.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, toldEntitlement, toldGeolocation } from '../../support/ott/in-memory.ts';
import { refusal } from '../../support/platform/refusal.ts';

const BLOCKED = '198.51.100.1';
const FREE = '198.51.100.2';
const countries = () => ({ [BLOCKED]: 'CH', [FREE]: 'NO' });
const blocksCh: Geoblocking = { enabled: true, mode: 'block', countries: ['CH'] };

const forged = {
  'X-Forwarded-For': FREE,
  Forwarded: `for=${FREE}`,
  'CloudFront-Viewer-Country': 'NO',
  'CloudFront-Viewer-Address': `${FREE}:443`,
  'x-origin-verify': 'guessed guessed guessed',
};

describe('a request to a stage without a CloudFront distribution', () => {
  const setUp = () => {
    const geolocation = toldGeolocation(countries);
    const calls = ottCalls({
      events: inMemoryEvents([anEvent()]),
      applications: [anOttApplication({ geoblocking: blocksCh })],
      geolocation,
    });
    return { calls, geolocation };
  };

  it.each(Object.entries(forged))(
    'ignores the country and the address in the header %s',
    async (name, value) => {
      const { calls, geolocation } = setUp();
      const request = { headers: { [name]: value }, sourceIp: BLOCKED };

      const [list, event, stream] = [
        await calls.list(request),
        await calls.get('final', request),
        await calls.stream('final', request),
      ];

      expect(list.body).toEqual([]);
      expect([event.status, stream.status]).toEqual([404, 404]);
      expect(geolocation.asked).toEqual([BLOCKED, BLOCKED, BLOCKED]);
    },
  );

  it('ignores forged CloudFront headers even if all of them are sent together', async () => {
    const { calls } = setUp();

    const event = await calls.get('final', { headers: forged, sourceIp: BLOCKED });

    expect(event.status).toBe(404);
  });
});

describe('a request to a stage behind a CloudFront distribution', () => {
  const current = 'the current value of the secret';
  const former = 'the former value of the secret';
  const setUp = (known: readonly string[] = [current, former]) => {
    const geolocation = toldGeolocation(countries);
    const calls = ottCalls({
      events: inMemoryEvents([anEvent()]),
      applications: [anOttApplication({ geoblocking: blocksCh })],
      geolocation,
      locate: locateByDistribution({ read: async () => known, refresh: async () => [current, former] }),
    });
    return { calls, geolocation };
  };
  const through = (headers: Record<string, string>, value = current) => ({
    headers: { 'x-origin-verify': value, ...headers },
    sourceIp: FREE,
  });

  it.each([undefined, '', 'wrong', `${current} `, current.toUpperCase(), `${current},${former}`])(
    'is answered with 403 when x-origin-verify is %j',
    async (value) => {
      const { calls, geolocation } = setUp();
      const headers = {
        ...(value !== undefined && { 'x-origin-verify': value }),
        'CloudFront-Viewer-Country': 'NO',
      };

      const answers = [
        await calls.list({ headers, sourceIp: FREE }),
        await calls.get('final', { headers, sourceIp: FREE }),
        await calls.stream('final', { headers, sourceIp: FREE }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(answers.map(({ body }) => body)).toEqual(
        Array(3).fill(refusal({ status: 403, message: 'FORBIDDEN' })),
      );
      expect(geolocation.asked).toEqual([]);
    },
  );

  it.each([current, former])('is accepted when x-origin-verify is %j', async (value) => {
    const { calls } = setUp();

    const event = await calls.get('final', through({ 'CloudFront-Viewer-Country': 'NO' }, value));

    expect(event.status).toBe(200);
  });

  it('is accepted with a secret that was stored after the function had read the old one', async () => {
    const { calls } = setUp([former]);

    const event = await calls.get('final', through({ 'CloudFront-Viewer-Country': 'NO' }));

    expect(event.status).toBe(200);
  });

  it('uses the country that CloudFront sends, whatever the source address and X-Forwarded-For are', async () => {
    const { calls } = setUp();
    const told = { 'cloudfront-viewer-country': 'CH', 'X-Forwarded-For': FREE };

    const event = await calls.get('final', through(told));

    expect(event.status).toBe(404);
  });

  it.each([
    [`${BLOCKED}:46532`, BLOCKED],
    ['2001:db8::7:46532', '2001:db8::7'],
    ['[2001:db8::7]:46532', '2001:db8::7'],
  ])(
    'uses the geolocation service for the address in %s when CloudFront sends no country',
    async (header, address) => {
      const { calls, geolocation } = setUp();

      const event = await calls.get('final', through({ 'CloudFront-Viewer-Address': header }));

      expect(event.status).toBe(404);
      expect(geolocation.asked).toEqual([address]);
    },
  );

  it.each(['XX', 'no', 'NOR', ''])(
    'is treated as coming from an unknown country when the country is %j',
    async (country) => {
      const { calls } = setUp();

      const event = await calls.get('final', through({ 'CloudFront-Viewer-Country': country }));

      expect(event.status).toBe(404);
    },
  );
});

describe('the client id of a request', () => {
  const setUp = (props: { defaultApplicationId?: string | undefined } = {}) => {
    const entitlement = toldEntitlement(() => ({ outcome: 'success', vip: false }));
    const calls = ottCalls({
      events: inMemoryEvents([anEvent()]),
      applications: [
        anOttApplication({ rules: [] }),
        anOttApplication({ rules: [{ id: 'all', enabled: true }] }, 'other-app'),
      ],
      entitlement,
      ...props,
    });
    return { calls, entitlement };
  };
  const clientIssue = (message: string) =>
    refusal({ status: 400, message: 'BAD_REQUEST', errors: [{ path: 'x-client-id', message }] });

  it('is taken from the access token', async () => {
    const { calls, entitlement } = setUp();

    const event = await calls.get('final', { headers: { Authorization: 'Bearer anna@other-app-web' } });

    expect(event.status).toBe(200);
    expect(entitlement.asked).toEqual([{ userSub: 'anna', clientId: 'other-app-web', eventId: undefined }]);
  });

  it('causes a 400 when x-client-id differs from the client of the token', async () => {
    const { calls, entitlement } = setUp();
    const headers = { authorization: 'Bearer anna@web', 'X-Client-Id': 'other-app-web' };

    const event = await calls.get('final', { headers });

    expect(event.status).toBe(400);
    expect(event.body).toEqual(clientIssue('is not the client of the token'));
    expect(entitlement.asked).toEqual([]);
  });

  it('is accepted when x-client-id names the client of the token', async () => {
    const { calls } = setUp();
    const headers = { authorization: 'Bearer anna@other-app-web', 'x-client-id': 'other-app-web' };

    expect((await calls.get('final', { headers })).status).toBe(200);
  });

  it('is taken from x-client-id when there is no token', async () => {
    const { calls } = setUp();

    expect((await calls.get('final', { headers: { 'x-client-id': 'other-app-web' } })).status).toBe(200);
  });

  it('is that of the default application when there is neither a token nor x-client-id', async () => {
    const { calls } = setUp({ defaultApplicationId: 'other-app' });

    expect((await calls.get('final')).status).toBe(200);
  });

  it.each([
    ['x-client-id is unknown', { 'x-client-id': 'nobody' }, 'is unknown'],
    ['x-client-id is empty', { 'x-client-id': '' }, 'is unknown'],
    ['x-client-id is endless', { 'x-client-id': 'x'.repeat(5_000) }, 'is unknown'],
    ['the token’s is unknown', { authorization: 'Bearer anna@nobody' }, 'the client of the token is unknown'],
  ])('causes a 400 when %s', async (_, headers, message) => {
    const { calls } = setUp();

    const event = await calls.get('final', { headers });

    expect([event.status, event.body]).toEqual([400, clientIssue(message)]);
  });

  it('is required when the stage has no default application', async () => {
    const { calls } = setUp({ defaultApplicationId: undefined });

    const event = await calls.get('final');

    expect([event.status, event.body]).toEqual([
      400,
      clientIssue('is required, since there is no default application'),
    ]);
  });

  it.each(['', 'Bearer', 'Bearer forged', 'Basic YTpi'])(
    'is not looked up when the Authorization header %j causes a 401',
    async (value) => {
      const { calls, entitlement } = setUp({ defaultApplicationId: 'other-app' });

      const event = await calls.get('final', { headers: { authorization: value } });

      expect(event.status).toBe(401);
      expect(entitlement.asked).toEqual([]);
    },
  );
});

describe('a stage that asks nobody for the country that its distribution does not know', () => {
  const secret = 'the value of the secret';
  const callsWith = (geolocation: GeolocationService) =>
    ottCalls({
      events: inMemoryEvents([anEvent()]),
      applications: [anOttApplication({ geoblocking: blocksCh })],
      geolocation,
      locate: locateByDistribution({ read: async () => [secret], refresh: async () => [secret] }),
    });

  it.each([
    ['CH', 404],
    ['NO', 200],
  ])('answers from %s by the country of the distribution, without a lookup', async (country, status) => {
    const lookups = vi.spyOn(globalThis, 'fetch');
    const calls = callsWith(noGeolocation);
    const request = {
      headers: { 'x-origin-verify': secret, 'cloudfront-viewer-country': country },
      sourceIp: BLOCKED,
    };

    const answers = [await calls.get('final', request), await calls.stream('final', request)];
    const list = await calls.list(request);

    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(list.body).toHaveLength(status === 200 ? 1 : 0);
    expect(lookups).toHaveBeenCalledTimes(0);
    lookups.mockRestore();
  });

  it.each(['T1', 'XX', '', undefined])('treats the country %j as unknown', async (country) => {
    const headers = {
      'x-origin-verify': secret,
      ...(country !== undefined && { 'cloudfront-viewer-country': country }),
    };
    const answersOf = async (geolocation: GeolocationService) => {
      const calls = callsWith(geolocation);
      const answers = [await calls.get('final', { headers }), await calls.stream('final', { headers })];
      return [...answers, await calls.list({ headers })].map(({ status, body }) => [status, body]);
    };

    // A lookup that finds no country.
    expect(await answersOf(noGeolocation)).toEqual(await answersOf(toldGeolocation(() => ({}))));
  });
});
