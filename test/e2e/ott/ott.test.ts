import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, type ApiCall, callApi } from '../../support/platform/api-client.ts';
import { runOperator } from '../../support/platform/operator-process.ts';
import { refusal, withoutRequestId } from '../../support/platform/refusal.ts';
import { seededRandom } from '../../support/platform/seeded-random.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { operatorInProcess } from '../../support/stage/console/operator-in-process.ts';

const anEvent = (id: string, fields: Record<string, unknown> = {}) => ({
  event_id: id,
  title: `Event ${id}`,
  status: 'LIVE',
  access: 'free',
  starts_at: '2026-05-01T18:00:00Z',
  stream: { type: 'hls', url: `https://streams.example.com/${id}/index.m3u8` },
  ...fields,
});

const catalogue = [
  anEvent('live'),
  anEvent('live-paid', { access: 'paid' }),
  anEvent('vod', { status: 'VOD', starts_at: '2026-04-01T18:00:00Z' }),
  anEvent('vod-paid', { status: 'VOD', access: 'paid', starts_at: '2026-03-01T18:00:00Z' }),
  anEvent('upcoming', { status: 'UPCOMING', starts_at: '2026-06-01T18:00:00Z', stream: undefined }),
];

/** IP addresses in two blocked countries, in another country, and in none that the geolocation service knows. */
const BLOCKED = '198.51.100.1';
const ALSO_BLOCKED = '198.51.100.2';
const ELSEWHERE = '198.51.100.3';

/**
 * The client of an application that is configured before any function reads it. Functions cache an application for half
 * a minute, and the stage's check of itself reads the default application at every start.
 */
const CLIENT = 'club-web';

let system: System;
let token: string;
let vipToken: string;

let operator: ReturnType<typeof operatorInProcess>;

const put = async (url: string, body: unknown): Promise<void> => {
  const answer = await callApi(url, { method: 'PUT', body });
  expect(answer.status).toBe(200);
};

const call = <Json = unknown>(path: string, from: string, request: ApiCall = {}): Promise<ApiAnswer<Json>> =>
  callApi<Json>(`${system.outputs.base_url}/api/v3/ott/events${path}`, {
    ...request,
    headers: { 'x-forwarded-for': from, 'x-client-id': CLIENT, ...request.headers },
  });

const idsOf = (answer: ApiAnswer<readonly { event_id: string }[]>): string[] =>
  answer.json.map(({ event_id }) => event_id);

const configure = async (ott: unknown): Promise<void> => {
  const file = join(system.stateDirectory, 'rules.json');
  writeFileSync(file, JSON.stringify({ ott }));
  await operator('applications', 'configure', 'club', '--file', file);
};

beforeAll(async () => {
  system = await startSystem({ arguments: ['--empty', '--trust-forwarded-for'] });
  operator = operatorInProcess(join(system.stateDirectory, 'outputs.json'));
  const file = join(system.stateDirectory, 'events.json');
  writeFileSync(file, JSON.stringify(catalogue));
  await operator('events', 'import', file);
  await operator('applications', 'create', 'club', '--client', CLIENT);
  await configure({
    rules: [{ id: 'all-but-upcoming', enabled: true, statuses: ['LIVE', 'VOD', 'FINISHED', 'CANCELLED'] }],
    geoblocking: { enabled: true, mode: 'block', countries: ['CH', 'NO'], statuses: ['LIVE'] },
  });
  const { geolocation_url, entitlement_url } = system.outputs;
  await put(`${geolocation_url}/addresses/${BLOCKED}`, { country: 'CH' });
  await put(`${geolocation_url}/addresses/${ALSO_BLOCKED}`, { country: 'NO' });
  await put(`${geolocation_url}/addresses/${ELSEWHERE}`, { country: 'SE' });
  await put(`${entitlement_url}/users/vera`, { vip: true, purchases: [] });
  token = await system.token({ sub: 'anna', client_id: CLIENT });
  vipToken = await system.token({ sub: 'vera', client_id: CLIENT });
  // The check also lists events. So each of the list's instances may have cached the empty catalogue for two seconds.
  await waitFor(
    async () => {
      const lists = await Promise.all(
        Array.from({ length: 8 }, () => call<{ event_id: string }[]>('/', BLOCKED)),
      );
      for (const list of lists) expect(idsOf(list)).toEqual(['vod', 'vod-paid']);
    },
    { interval: 500 },
  );
});
afterAll(() => system.dispose());
afterEach(async () => {
  const { geolocation_url, entitlement_url } = system.outputs;
  await put(`${geolocation_url}/behaviour`, { mode: 'ok' });
  await put(`${entitlement_url}/behaviour`, { mode: 'ok' });
});

describe('geoblocking of LIVE events in two countries', () => {
  it.each([BLOCKED, ALSO_BLOCKED])(
    'shows %s the events that are not LIVE, and answers 404 for a LIVE event',
    async (from) => {
      const list = await call<{ event_id: string }[]>('/', from);
      const live = [await call('/live', from), await call('/live/stream', from)];

      expect(idsOf(list)).toEqual(['vod', 'vod-paid']);
      expect(live.map(({ status }) => status)).toEqual([404, 404]);
      expect((await call('/vod', from)).status).toBe(200);
    },
  );

  it('shows all events in other countries', async () => {
    expect(idsOf(await call<{ event_id: string }[]>('/', ELSEWHERE))).toEqual([
      'live-paid',
      'live',
      'vod',
      'vod-paid',
    ]);
    expect((await call('/live', ELSEWHERE)).status).toBe(200);
    expect((await call('/live/stream', ELSEWHERE)).json).toEqual({
      event_id: 'live',
      type: 'hls',
      url: 'https://streams.example.com/live/index.m3u8',
      expires_at: expect.any(String),
      renew_at: expect.any(String),
    });
  });
});

describe('a hidden event', () => {
  it('gets the same bytes and headers as a missing event, except the request id', async () => {
    /** Headers that differ in every response. */
    const perRequest = new Set(['date', 'x-amzn-requestid', 'x-amz-apigw-id', 'x-amzn-trace-id']);
    const shapeOf = ({ status, headers, text }: ApiAnswer<unknown>) => ({
      status,
      text: withoutRequestId(text),
      headers: [...headers].filter(([name]) => !perRequest.has(name)),
    });

    const events = [
      await call('/live', BLOCKED),
      await call('/upcoming', ELSEWHERE),
      await call('/missing', ELSEWHERE),
    ].map(shapeOf);
    // Compared separately: the stream call can set cookies, so its CORS headers are different.
    const streams = [
      await call('/live/stream', BLOCKED, { token }),
      await call('/missing/stream', ELSEWHERE, { token }),
    ].map(shapeOf);

    for (const answers of [events, streams]) {
      expect(answers[0]).toMatchObject({ status: 404, text: '{"status":404,"message":"EVENT_NOT_FOUND"}' });
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    }
  });
});

describe('the stream of a paid event', () => {
  const stream = (request: ApiCall = {}) => call('/vod-paid/stream', ELSEWHERE, request);

  it('requires a login, then a purchase, and then plays', async () => {
    const buyer = await system.token({ sub: 'berta', client_id: CLIENT });

    expect((await stream()).json).toEqual(refusal({ status: 403, message: 'LOGIN_REQUIRED' }));
    expect((await stream({ token: buyer })).json).toEqual(
      refusal({ status: 403, message: 'PURCHASE_REQUIRED' }),
    );

    await put(`${system.outputs.entitlement_url}/users/berta`, { vip: false, purchases: ['vod-paid'] });

    expect(await stream({ token: buyer })).toMatchObject({ status: 200, json: { event_id: 'vod-paid' } });
    expect((await call('/live-paid/stream', ELSEWHERE, { token: buyer })).status).toBe(403);
  });

  it('plays for a VIP, who also sees events that no rule shows', async () => {
    expect((await stream({ token: vipToken })).status).toBe(200);
    expect((await call('/upcoming', ELSEWHERE, { token: vipToken })).status).toBe(200);
    expect((await call('/upcoming', ELSEWHERE, { token })).status).toBe(404);
  });

  it('is refused with 401 for an invalid token', async () => {
    expect((await stream({ token: `${token.slice(0, -4)}AAAA` })).status).toBe(401);
  });
});

describe('during an outage of the entitlement service', () => {
  it('paid streams get 503, and other calls are answered', async () => {
    const paths = ['/vod-paid/stream', '/vod/stream', '/vod-paid', '/'];
    for (const path of paths) await call(path, ELSEWHERE, { token });
    await put(`${system.outputs.entitlement_url}/behaviour`, { mode: 'slow' });

    // At the same time, because the first call of each function waits for the whole time limit.
    const answers = await Promise.all(paths.map((path) => call(path, ELSEWHERE, { token })));

    expect(answers.map(({ status }) => status)).toEqual([503, 200, 200, 200]);
    expect(answers[0]?.json).toEqual(refusal({ status: 503, message: 'ENTITLEMENT_UNAVAILABLE' }));
  });

  it('the circuit opens after a time-out and closes later, as logs and metrics show', async () => {
    const directory = join(system.stateDirectory, 'logs');
    const lines = () =>
      readdirSync(directory)
        .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
        .filter((line) => /"(outside_)?service":"entitlement"/.test(line));

    expect(lines()).toContainEqual(expect.stringContaining('"code":"CIRCUIT_OPENED"'));
    expect(lines()).toContainEqual(expect.stringMatching(/"Namespace":"Marquee\/local".*"CircuitOpen":1/));
    await put(`${system.outputs.entitlement_url}/behaviour`, { mode: 'ok' });
    await waitFor(
      async () => {
        await call('/vod-paid', ELSEWHERE, { token });
        expect(lines()).toContainEqual(expect.stringContaining('"code":"CIRCUIT_CLOSED"'));
        expect(lines()).toContainEqual(expect.stringMatching(/"CircuitOpen":0/));
      },
      { interval: 200 },
    );
  });
});

describe('during an outage of the entitlement service while viewers watch', () => {
  it('viewers with a recent grant can continue for a limited time, and nobody else can start', async () => {
    const behaviour = `${system.outputs.entitlement_url}/behaviour`;
    const buyer = async (sub: string) => {
      await put(`${system.outputs.entitlement_url}/users/${sub}`, { vip: false, purchases: ['vod-paid'] });
      return system.token({ sub, client_id: CLIENT });
    };
    const [watching, beginning] = [await buyer('watching'), await buyer('beginning')];
    const play = (by: string) => call<{ expires_at: string }>('/vod-paid/stream', ELSEWHERE, { token: by });

    // A grant is recent for twenty seconds, in which a busy machine may answer too few calls.
    const { goingOn, latestEnd } = await waitFor(async () => {
      await put(behaviour, { mode: 'ok' });
      expect((await play(watching)).status).toBe(200);
      const grantedBy = Date.now();
      await put(behaviour, { mode: 'down' });
      const answer = await play(watching);
      expect(answer.status).toBe(200);
      return { goingOn: answer, latestEnd: grantedBy + 20_000 };
    });

    expect(Date.parse(goingOn.json.expires_at)).toBeLessThanOrEqual(latestEnd);
    expect((await play(beginning)).status).toBe(503);
  });
});

describe('during an outage of the geolocation service', () => {
  it('geoblocked events get 503 and are left out of lists, and other events are served', async () => {
    const from = '198.51.100.22';
    await put(`${system.outputs.geolocation_url}/addresses/${from}`, { country: 'SE' });
    await put(`${system.outputs.geolocation_url}/behaviour`, { mode: 'down' });

    for (const path of ['/live', '/live/stream']) {
      const answer = await call(path, from);
      expect([answer.status, answer.json, answer.headers.get('retry-after')]).toEqual([
        503,
        refusal({ status: 503, message: 'SERVICE_UNAVAILABLE' }),
        '2',
      ]);
    }
    expect((await call('/missing', from)).status).toBe(404);
    expect((await call('/vod/stream', from)).status).toBe(200);
    expect(idsOf(await call<{ event_id: string }[]>('/', from))).toEqual(['vod', 'vod-paid']);

    await put(`${system.outputs.geolocation_url}/behaviour`, { mode: 'ok' });
    await waitFor(
      async () => {
        expect((await call('/live', from)).status).toBe(200);
        expect(idsOf(await call('/', from))).toContain('live');
      },
      { interval: 200 },
    );
  });
});

describe('the list of events over HTTP', () => {
  it('continues at the URL in the Link header', async () => {
    const first = await call<{ event_id: string }[]>('/?limit=3&access=free', ELSEWHERE);
    const second = await call<{ event_id: string }[]>('?limit=1', ELSEWHERE);
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(second.headers.get('link') ?? '') ?? [];
    const third = await callApi<{ event_id: string }[]>(next, {
      headers: { 'x-forwarded-for': ELSEWHERE, 'x-client-id': CLIENT },
    });

    expect([idsOf(first), first.headers.get('link')]).toEqual([['live', 'vod'], null]);
    expect([idsOf(second), idsOf(third)]).toEqual([['live-paid'], ['live']]);
    expect(next).toMatch(new RegExp(`^${system.outputs.base_url}/api/v3/ott/events/\\?`));
    expect(second.headers.get('cache-control')).toBe('private, no-store');
  });

  it('answers browsers of any origin, including preflights', async () => {
    const preflight = await call('/live', ELSEWHERE, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://fans.example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,x-client-id',
      },
    });

    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-client-id');
    expect((await call('/live', ELSEWHERE)).headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('an event status that the operator sets', () => {
  it('soon appears in lists', async () => {
    const listed = async (status: string) =>
      idsOf(await call<{ event_id: string }[]>(`/?status=${status}`, ELSEWHERE));
    expect(await listed('VOD')).toContain('vod');
    expect(await listed('FINISHED')).toEqual([]);

    await operator('events', 'set-status', 'vod', 'FINISHED');
    const seen = waitFor(
      async () => expect([await listed('FINISHED'), await listed('VOD')]).toEqual([['vod'], ['vod-paid']]),
      { interval: 100 },
    );
    expect((await call<{ status: string }>('/vod', ELSEWHERE)).json.status).toBe('FINISHED');
    await seen;

    await operator('events', 'set-status', 'vod', 'VOD');
  });
});

describe('an import of events with an invalid line', () => {
  it('reports the rejected line, and changes nothing when it is repeated', async () => {
    const file = join(system.stateDirectory, 'more.csv');
    writeFileSync(
      file,
      'event_id,title,status,access,starts_at\nnew,New,VOD,free,2026-01-01T00:00:00Z\nbad,Bad,SOON,free,never\n',
    );

    const importing = () =>
      runOperator(system, 'events', 'import', '--verbose', file).catch((error: unknown) => error);
    const [first, second] = [await importing(), await importing()];

    const rowsOf = (result: unknown) =>
      (result as { stdout: string }).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(rowsOf(first)).toMatchObject([
      { line: 2, event_id: 'new', outcome: 'created' },
      { line: 3, event_id: 'bad', outcome: 'refused', detail: expect.stringContaining('status') },
    ]);
    expect(rowsOf(second)).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'refused' }]);
    expect((await call('/new', ELSEWHERE)).status).toBe(200);
    expect((await call('/bad', ELSEWHERE)).status).toBe(404);
  });
});

describe('an import that would give more countries access to a LIVE event', () => {
  it('writes nothing without a terminal for consent, and asks nothing with --yes', async () => {
    const blockedIn = (...blocked: readonly string[]) => {
      const geoblocking = { enabled: true, mode: 'block', countries: blocked };
      const file = join(system.stateDirectory, 'guarded.json');
      writeFileSync(file, JSON.stringify([anEvent('guarded', { geoblocking })]));
      return file;
    };
    const status = async () => (await call('/guarded', ELSEWHERE)).status;
    await operator('events', 'import', blockedIn('SE', 'FI'));

    const asked = await runOperator(system, 'events', 'import', blockedIn('FI')).catch(
      (error: unknown) => error,
    );

    expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining('guarded: geoblocking') });
    expect(asked).toMatchObject({ stderr: expect.stringContaining('add --yes') });
    expect(await status()).toBe(404);
    await operator('events', 'import', '--yes', blockedIn('FI'));
    expect(await status()).toBe(200);
    await operator('events', 'set-status', 'guarded', 'CANCELLED');
    await operator('events', 'delete', 'guarded', '--yes');
  });
});

describe('a page of fifty events', () => {
  it('takes at most 5 KB with gzip, and is sent uncompressed to clients that do not accept gzip', async () => {
    const file = join(system.stateDirectory, 'fifty.json');
    const random = seededRandom(28);
    const words =
      'final cup night concert live arena training home derby stars winter summer story team goal'.split(' ');
    const text = (length: number) =>
      Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(' ');
    const fifty = Array.from({ length: 50 }, (_, index) => ({
      event_id: `${text(2).replace(' ', '-')}-${index}`,
      title: text(4),
      description: text(30),
      status: 'VOD',
      stream: { type: 'hls', url: `https://streams.example.com/${index}/index.m3u8` },
      access: index % 3 === 0 ? 'paid' : 'free',
      starts_at: new Date(Date.UTC(2027, 0, 1) + Math.floor(random() * 1e10)).toISOString(),
      ends_at: null,
      image: `https://images.example.com/${Math.floor(random() * 1e12).toString(36)}.jpg`,
      categories: [text(1), `season-${index % 4}`],
    }));
    writeFileSync(file, JSON.stringify(fifty));
    await operator('events', 'import', file);
    const page = async (acceptEncoding: string) => {
      const path = '/api/v3/ott/events/?limit=50&status=VOD';
      const headers = {
        'accept-encoding': acceptEncoding,
        'x-forwarded-for': ELSEWHERE,
        'x-client-id': CLIENT,
      };
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${system.outputs.base_url}${path}`, { headers }, resolve).on('error', reject);
      });
      return { headers: response.headers, body: Buffer.concat(await response.toArray()) };
    };

    const plain = await waitFor(
      async () => {
        const answer = await page('identity');
        expect(JSON.parse(answer.body.toString())).toHaveLength(50);
        return answer;
      },
      { interval: 500 },
    );
    const compressed = await page('gzip');

    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.length).toBeGreaterThan(15_000);
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.body.length).toBeLessThanOrEqual(5 * 1_024);
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
  });
});
