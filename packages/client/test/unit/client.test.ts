import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as index from '../../src/index.ts';
import {
  type CallOptions,
  type ClientOptions,
  createClient,
  MarqueeError,
  NoAnswerError,
  NotFoundError,
  UnavailableError,
} from '../../src/index.ts';
import * as notifications from '../../src/notifications.ts';

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const addresses = {
  baseUrl: 'https://base.example.com',
  apiUrlB2b: 'https://b2b.example.com',
  apiUrlProfile: 'https://profile.example.com',
};

type Asked = RequestInit & { readonly url: string };

/** A client whose requests `answer` answers, and the requests that it made. */
const clientOf = (
  answer: (asked: Asked) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
) => {
  const asked: Asked[] = [];
  const marquee = createClient({
    ...addresses,
    apiKey: 'key',
    accessToken: 'token',
    fetch: async (url, init) => {
      asked.push({ ...init, url: String(url) });
      return answer({ ...init, url: String(url) });
    },
    ...options,
  });
  return { marquee, asked };
};
const forever = () => new Promise<Response>(() => {});
/** A client that never gets an answer and whose `fetch` ignores abort signals. */
const hanging = (options: Partial<ClientOptions> = {}) => clientOf(forever, options);
const refusing = (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  clientOf(() => Response.json(body, { status, headers }));

type Client = index.MarqueeClient;
const seat = { destination: address, metadata: { name: 'Seat' } };
const catalogueEvent = {
  event_id: 'final',
  title: 'The final',
  status: 'UPCOMING',
  access: 'free',
  starts_at: '2026-05-29T09:00:00Z',
} as const;
const first = async <Item>(items: AsyncGenerator<Item>) => (await items.next()).value;
/** A call of every method, with the options that all methods take. */
const methods: Record<
  Exclude<keyof Client, 'http'>,
  (marquee: Client, options?: CallOptions) => Promise<unknown>
> = {
  createContract: (m, o) => m.createContract({ name: 'One', symbol: 'ONE', chain: 'MATIC' }, o),
  getContract: (m, o) => m.getContract(address, o),
  getToken: (m, o) => m.getToken(address, '1', o),
  mintToken: (m, o) => m.mintToken(address, seat, o),
  mintBatch: (m, o) => m.mintBatch(address, [seat], o),
  updateContractMetadata: (m, o) => m.updateContractMetadata(address, { description: 'New' }, o),
  updateTokenMetadata: (m, o) => m.updateTokenMetadata(address, '1', { name: 'New' }, o),
  updateMetadataBatch: (m, o) =>
    m.updateMetadataBatch(address, { from: '1', to: '1', metadata: [{ name: 'New' }] }, o),
  setRoyalty: (m, o) => m.setRoyalty(address, { receiver: address, basis_points: 250 }, o),
  listContracts: (m, o) => first(m.listContracts({}, o)),
  listTokens: (m, o) => first(m.listTokens(address, {}, o)),
  waitUntilConfirmed: (m, o) => m.waitUntilConfirmed({ address }, o),
  readUserData: (m, o) => m.readUserData('sub', o),
  readUserDataBatch: (m, o) => m.readUserDataBatch(['sub'], o),
  exchangeUserSubs: (m, o) => m.exchangeUserSubs(['sub'], o),
  listNotifications: (m, o) => first(m.listNotifications({}, o)),
  listNotificationEndpoints: (m, o) => m.listNotificationEndpoints(o),
  sendTestNotification: (m, o) => m.sendTestNotification(o),
  startReplay: (m, o) => m.startReplay({ from: '2026-11-20T09:00:00Z', to: '2026-11-20T10:00:00Z' }, o),
  getReplay: (m, o) => m.getReplay('1', o),
  listEvents: (m, o) => first(m.listEvents({}, o)),
  getEvent: (m, o) => m.getEvent('final', o),
  getStream: (m, o) => m.getStream('final', o),
  playStream: (m, o) => first(m.playStream('final', o)),
  getUserData: (m, o) => m.getUserData(o),
  getUserDataVersion: (m, o) => m.getUserDataVersion(o),
  putUserData: (m, o) => m.putUserData({ user_data: { n: '1' } }, o),
  previewErasure: (m, o) => m.previewErasure(o),
  exportUser: (m, o) => m.exportUser(o),
  eraseUser: (m, o) => m.eraseUser(o),
  getApplicationUserSub: (m, o) => m.getApplicationUserSub(o),
  challengeWallet: (m, o) => m.challengeWallet({ address, origin: 'https://www.example.com' }, o),
  linkWallet: (m, o) => m.linkWallet(address, { challenge_id: '1', signature: '0x' }, o),
  endStream: (m, o) => m.endStream('final', { ...o, session: 'mine' }),
  listWallets: (m, o) => m.listWallets(o),
  unlinkWallet: (m, o) => m.unlinkWallet(address, o),
  setTokenDestination: (m, o) => m.setTokenDestination(address, '1', address, o),
  listUserTokens: (m, o) => first(m.listUserTokens({}, o)),
  getTokenHistory: (m, o) => m.getTokenHistory(address, '1', o),
  getOwnTokenHistory: (m, o) => m.getOwnTokenHistory(address, '1', o),
  claimToken: (m, o) => m.claimToken(address, { address, id: '1' }, o),
  voidToken: (m, o) => m.voidToken(address, '1', o),
  unvoidToken: (m, o) => m.unvoidToken(address, '1', o),
  listCatalogue: (m, o) => first(m.listCatalogue({}, o)),
  getCatalogueEvent: (m, o) => m.getCatalogueEvent('final', o),
  putCatalogueEvent: (m, o) => m.putCatalogueEvent(catalogueEvent, { ...o, ifNoneMatch: '*' }),
  deleteCatalogueEvent: (m, o) => m.deleteCatalogueEvent('final', o),
  setCatalogueStatus: (m, o) => m.setCatalogueStatus('final', 'LIVE', o),
};
const everyMethod = Object.entries(methods).map(([name, call]) => ({ name, call }));

/** The largest lengths, each once, that the document's operations give for the header `Idempotency-Key`. */
const keyLengthsInDocument = (): readonly number[] => {
  const lengths = new Set<number>();
  JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'), (_, value) => {
    if (value?.in === 'header' && value.name === 'Idempotency-Key') lengths.add(value.schema.maxLength);
    return value;
  });
  return [...lengths];
};

/** The outcome of a call, and its duration by the fake clock. */
const timed = async (call: Promise<unknown>) => {
  const began = performance.now();
  const ended = call.then(
    (value) => ({ value, error: undefined, after: performance.now() - began }),
    (error: unknown) => ({ value: undefined, error, after: performance.now() - began }),
  );
  await vi.runAllTimersAsync();
  return ended;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('playStream', () => {
  it('renews at renew_at, retries until the signature expires, and throws when it is refused', async () => {
    const began = Date.now();
    const at = (seconds: number) => new Date(began + seconds * 1_000).toISOString();
    const times: number[] = [];
    const { marquee, asked } = clientOf(() => {
      const seconds = Math.round((Date.now() - began) / 1_000);
      times.push(seconds);
      if (seconds >= 400 && seconds < 500) return Response.json({}, { status: 503 });
      if (seconds >= 900) return Response.json({ message: 'EVENT_NOT_FOUND' }, { status: 404 });
      const [expires_at, renew_at] = [at(seconds + 600), at(seconds + 400)];
      return Response.json({
        event_id: 'final',
        type: 'hls',
        url: 'https://a.example',
        expires_at,
        renew_at,
        continuation: `at-${seconds}`,
      });
    });
    const seen: unknown[] = [];
    const play = async () => {
      for await (const { url } of marquee.playStream('final', { session: 'mine' })) seen.push(url);
    };

    const { error } = await timed(play());

    expect(error).toMatchObject({ status: 404, code: 'EVENT_NOT_FOUND' });
    expect(seen).toHaveLength(2);
    expect(times[1]).toBe(400);
    expect(times.filter((seconds) => seconds >= 500 && seconds < 510)).toHaveLength(1);
    expect(asked[0]?.url).toMatch(/\/final\/stream\?session=mine$/);
    expect(asked[1]?.url).toMatch(/\?session=mine&continuation=at-0$/);
  });

  it.each([-400, 400])('renews on time on a device whose clock is %d s ahead', async (ahead) => {
    const began = Date.now();
    const times: number[] = [];
    const { marquee } = clientOf(() => {
      const now = Date.now() - ahead * 1_000;
      times.push(Math.round((Date.now() - began) / 1_000));
      if (times.length > 3) return Response.json({ message: 'EVENT_NOT_FOUND' }, { status: 404 });
      const [expires_at, renew_at] = [300, 200].map((seconds) =>
        new Date(now + seconds * 1_000).toISOString(),
      );
      const headers = { date: new Date(now).toUTCString() };
      return Response.json({ url: 'https://a.example', expires_at, renew_at }, { headers });
    });
    const play = async () => {
      for await (const { url } of marquee.playStream('final')) void url;
    };

    const { error } = await timed(play());

    expect(error).toMatchObject({ code: 'EVENT_NOT_FOUND' });
    for (const [at, seconds] of times.entries()) expect(Math.abs(seconds - at * 200)).toBeLessThan(4);
  });

  it('asks again after a few seconds if the time to renew has passed', async () => {
    const began = Date.now();
    const times: number[] = [];
    const { marquee } = clientOf(() => {
      times.push(Date.now() - began);
      if (times.length > 3) return Response.json({ message: 'EVENT_NOT_FOUND' }, { status: 404 });
      const [expires_at, renew_at] = [600, -10].map((seconds) =>
        new Date(began + seconds * 1_000).toISOString(),
      );
      return Response.json({ url: 'https://a.example', expires_at, renew_at });
    });
    const play = async () => {
      for await (const { url } of marquee.playStream('final')) void url;
    };

    await timed(play());

    expect(times).toEqual([0, 3_000, 6_000, 9_000]);
  });

  it('goes on in a browser when a proxy has answered for minutes in place of the service', async () => {
    vi.stubGlobal('location', { origin: 'https://fans.example', href: 'https://fans.example/' });
    const began = Date.now();
    const at = (seconds: number) => new Date(began + seconds * 1_000).toISOString();
    const { marquee } = clientOf(({ mode }) => {
      const seconds = (Date.now() - began) / 1_000;
      if (seconds >= 400 && seconds < 580 && mode !== 'no-cors') throw new TypeError('Failed to fetch');
      if (seconds >= 900) return Response.json({ message: 'EVENT_NOT_FOUND' }, { status: 404 });
      const [expires_at, renew_at] = [at(seconds + 600), at(seconds + 400)];
      return Response.json({ url: 'https://a.example', expires_at, renew_at });
    });
    const seen: unknown[] = [];
    const play = async () => {
      for await (const { url } of marquee.playStream('final')) seen.push(url);
    };

    const { error } = await timed(play());
    vi.unstubAllGlobals();

    expect(error).toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(seen).toHaveLength(2);
  });

  it('ends with the refusal of the service if the signature expires while the renewal is answered', async () => {
    const began = Date.now();
    const at = (seconds: number) => new Date(began + seconds * 1_000).toISOString();
    const { marquee, asked } = clientOf(async () => {
      if (asked.length === 1)
        return Response.json({ url: 'https://a.example', expires_at: at(5.05), renew_at: at(5) });
      await new Promise((resolve) => setTimeout(resolve, 60));
      return Response.json({ message: 'STREAM_NOT_AVAILABLE' }, { status: 404 });
    });
    const play = async () => {
      for await (const { url } of marquee.playStream('final')) void url;
    };

    const { error } = await timed(play());

    expect(error).toMatchObject({ status: 404, code: 'STREAM_NOT_AVAILABLE' });
  });

  it('sends one request if nothing has to be renewed', async () => {
    const { marquee, asked } = clientOf(() => Response.json({ url: 'https://a.example', expires_at: null }));
    const all: unknown[] = [];
    const play = async () => {
      for await (const stream of marquee.playStream('final')) all.push(stream);
    };

    await timed(play());

    expect([all.length, asked.length]).toEqual([1, 1]);
  });
});

describe('endStream', () => {
  it('goes on if the page is closed, unlike other calls', async () => {
    const { marquee, asked } = clientOf(({ method }) =>
      method === 'POST' ? new Response(null, { status: 204 }) : Response.json({}),
    );

    await timed(Promise.all([marquee.endStream('final', { session: 'mine' }), marquee.getEvent('final')]));

    const [ended, other] = asked.toSorted((a) => (a.method === 'POST' ? -1 : 1));
    expect(ended).toMatchObject({ body: '{"session":"mine"}', keepalive: true });
    expect(ended?.url).toMatch(/\/final\/stream\/end$/);
    expect(other?.keepalive).toBe(false);
  });
});

describe('every method of the client', () => {
  it('is in the list of tested methods', () => {
    const { marquee } = hanging();
    expect(Object.keys(marquee).sort()).toEqual([...Object.keys(methods), 'http'].sort());
  });

  it.each(everyMethod)('$name ends at its timeout', async ({ call }) => {
    const { marquee, asked } = hanging();

    const { error, after } = await timed(call(marquee, { timeout: 1_234 }));

    expect(error).toBeInstanceOf(MarqueeError);
    expect(after).toBe(1_234);
    expect(asked.length).toBeGreaterThan(0);
  });

  it.each(everyMethod)('$name is aborted at once by its signal', async ({ call }) => {
    const { marquee } = clientOf(() => Response.json({}, { status: 503, headers: { 'retry-after': '20' } }));
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 10_000);

    const { error, after } = await timed(call(marquee, { signal: controller.signal }));

    // A write that must not be repeated has already failed by then.
    if (error instanceof UnavailableError)
      expect([
        methods.sendTestNotification,
        methods.challengeWallet,
        methods.putCatalogueEvent,
        methods.deleteCatalogueEvent,
      ]).toContain(call);
    else expect([error, after]).toEqual([new Error('enough'), 10_000]);
  });

  it.each(everyMethod)('$name sends no request when its signal is already aborted', async ({ call }) => {
    const { marquee, asked } = hanging();

    const { error, after } = await timed(call(marquee, { signal: AbortSignal.abort(new Error('no')) }));

    expect([error, after, asked]).toEqual([new Error('no'), 0, []]);
  });

  it.each(everyMethod)(
    '$name rejects a timeout that is not a valid number of milliseconds',
    async ({ call }) => {
      for (const timeout of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
        const { marquee, asked } = hanging();
        const { error, after } = await timed(call(marquee, { timeout }));
        expect(String(error)).toContain(`timeout is not a number of milliseconds`);
        expect([after, asked]).toEqual([0, []]);
      }
    },
  );

  it.each(everyMethod)(
    '$name sends the idempotency key only if it creates or changes something',
    async ({ name, call }) => {
      const { marquee, asked } = refusing(400);

      await timed(call(marquee, { idempotencyKey: 'order-1' }));

      const keys = asked.map(({ headers }) => new Headers(headers).get('idempotency-key'));
      const isKeyed = /^(create|mint|update|set(?!Catalogue)|start)/.test(name);
      expect(keys).toEqual([isKeyed ? 'order-1' : null]);
    },
  );

  it('take an idempotency key that is as long as the OpenAPI document allows, and no longer one', async () => {
    const [atMost = 0, ...others] = keyLengthsInDocument();
    const fitting = refusing(400);
    const tooLong = refusing(400);

    await timed(methods.mintToken(fitting.marquee, { idempotencyKey: 'k'.repeat(atMost) }));
    const { error } = await timed(
      methods.mintToken(tooLong.marquee, { idempotencyKey: 'k'.repeat(atMost + 1) }),
    );

    expect(others).toEqual([]);
    expect(new Headers(fitting.asked[0]?.headers).get('idempotency-key')).toHaveLength(atMost);
    expect(String(error)).toContain(`idempotencyKey must be 1 to ${atMost} printable ASCII characters`);
    expect(tooLong.asked).toEqual([]);
  });

  it.each(everyMethod)('$name does not follow a redirect', async ({ call }) => {
    const location = 'https://elsewhere.example.com/';
    const { marquee, asked } = clientOf(() => new Response(null, { status: 302, headers: { location } }));

    const { error, after } = await timed(call(marquee));

    expect(error).toBeInstanceOf(MarqueeError);
    expect(String(error)).toContain(`is redirected to ${location}`);
    expect(after).toBe(0);
    expect(asked.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  it.each(everyMethod)(
    '$name throws an error that quotes the response if the response is not JSON',
    async ({ call }) => {
      for (const page of ['<html>Log in to this network</html>', '']) {
        const headers = { 'content-type': 'text/html' };
        const { marquee, asked } = clientOf(() => new Response(page, { headers }));

        const { error, after } = await timed(call(marquee));

        expect(error).toBeInstanceOf(NoAnswerError);
        expect(String(error)).toContain(`is not JSON but text/html (200): ${page}`);
        expect([after, asked.length]).toEqual([0, 1]);
      }
    },
  );
});

describe('the deadline of a call', () => {
  it.each([0.5, 1, 2, 7, 99.9, 1_000, 14_999, 15_000, 15_001, 30_000.5, 60_000])(
    'of %d ms allows at least one try, and is not exceeded',
    async (deadlineMilliseconds) => {
      for (const tryMilliseconds of [1, 15_000, 100_000]) {
        const { marquee, asked } = hanging({ deadlineMilliseconds, tryMilliseconds });

        const { error, after } = await timed(marquee.getContract(address));

        expect(error).toBeInstanceOf(NoAnswerError);
        expect(asked.length).toBeGreaterThan(0);
        // Node's timers have whole milliseconds. The client begins no wait that would go beyond the deadline.
        expect(after).toBeLessThanOrEqual(Math.max(1, deadlineMilliseconds) + 1);
        if (tryMilliseconds > deadlineMilliseconds) {
          expect(after).toBeGreaterThanOrEqual(Math.floor(deadlineMilliseconds));
        }
      }
    },
  );

  it('aborts only the last try', async () => {
    const { marquee, asked } = hanging();

    const { after } = await timed(marquee.getContract(address));

    expect(after).toBe(60_000);
    expect(asked).toHaveLength(4);
  });

  it('also applies to the credential function', async () => {
    const { marquee, asked } = hanging({ apiKey: () => new Promise<string>(() => {}) });

    const { error, after } = await timed(marquee.getContract(address, { timeout: 500 }));

    expect(error).toBeInstanceOf(NoAnswerError);
    expect([after, asked]).toEqual([500, []]);
  });

  it('leaves no timer behind', async () => {
    const { marquee } = clientOf(() => Response.json({ address }));

    await marquee.getContract(address);

    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a request that must not be repeated', () => {
  const writes: Record<string, (marquee: Client) => Promise<unknown>> = {
    'a write without a key': (m) => m.sendTestNotification(),
    'a write of one version': (m) => m.putUserData({ user_data: { n: '1' } }, { ifMatch: '"1"' }),
    'a write of what is not there yet': (m) =>
      m.http.PUT('/user/data', { body: {}, headers: { 'If-None-Match': '*' } }),
  };
  const answers: Record<string, () => Response> = {
    ...Object.fromEntries(
      [429, 500, 502, 503, 504].map((status) => [
        `a ${status}`,
        () => Response.json({}, { status, headers: { 'retry-after': '1' } }),
      ]),
    ),
    'a conflict that passes': () => Response.json({ message: 'CONFLICT' }, { status: 409 }),
    'no answer': () => {
      throw new TypeError('fetch failed');
    },
  };
  for (const [which, write] of Object.entries(writes)) {
    it.each(Object.entries(answers))(`is sent once for ${which} if the result is %s`, async (_, answer) => {
      const { marquee, asked } = clientOf(answer);

      const { after } = await timed(write(marquee));

      expect([asked.length, after]).toEqual([1, 0]);
    });
  }
});

describe('an error before the first request', () => {
  it.each<[string, Partial<ClientOptions>]>([
    ['baseUrl', { baseUrl: 'base.example.com' }],
    ['baseUrl', { baseUrl: 'localhost:3000/base' }],
    ['baseUrl', { baseUrl: '' }],
    ['apiUrlB2b', { apiUrlB2b: 'https://user:word@b2b.example.com' }],
    ['apiUrlB2b', { apiUrlB2b: 'https://:word@b2b.example.com' }],
    ['apiUrlB2b', { apiUrlB2b: 'https://b2b.example.com/#part' }],
    ['apiUrlProfile', { apiUrlProfile: 'ftp://profile.example.com' }],
    ['tryMilliseconds', { tryMilliseconds: 0 }],
    ['deadlineMilliseconds', { deadlineMilliseconds: Number.NaN }],
  ])('names the option %s in createClient: %o', (name, options) => {
    expect(() => hanging(options)).toThrow(MarqueeError);
    expect(() => hanging(options)).toThrow(name);
  });

  it('does not contain the password of a rejected URL', () => {
    expect(() => hanging({ apiUrlB2b: 'https://user:word@b2b.example.com' })).toThrow(
      'apiUrlB2b is not an address of an API: https://b2b.example.com',
    );
  });

  const calls: Record<string, (marquee: Client) => Promise<unknown>> = {
    'an empty address': (m) => m.getContract(''),
    'an address that is missing': (m) => m.getContract(undefined as unknown as string),
    'dots for an event': (m) => m.getEvent('..'),
    'a dot for an event': (m) => m.getStream('.'),
    'an empty token': (m) => m.getToken(address, ''),
    'dots for a collection': (m) => m.mintToken('..', seat),
    'an empty replay': (m) => m.getReplay(''),
    'dots in a call of the document': (m) =>
      m.http.GET('/api/v3/ott/events/{event_id}', { params: { path: { event_id: '..' } } }),
    'an empty idempotency key': (m) => m.mintToken(address, seat, { idempotencyKey: '' }),
    'a blank idempotency key': (m) => m.mintToken(address, seat, { idempotencyKey: ' ' }),
    'an idempotency key that no header holds': (m) => m.mintToken(address, seat, { idempotencyKey: 'Größe' }),
  };
  it.each(Object.entries(calls))('is thrown at once: %s', async (_, call) => {
    const { marquee, asked } = hanging();

    const { error, after } = await timed(call(marquee));

    expect(error).toBeInstanceOf(MarqueeError);
    expect([after, asked]).toEqual([0, []]);
  });

  it('is thrown at once when the credential function fails or the credential cannot be sent', async () => {
    const failing = hanging({
      apiKey: () => {
        throw new Error('the vault is closed');
      },
    });
    expect(await timed(failing.marquee.getContract(address))).toMatchObject({
      error: new Error('the vault is closed'),
      after: 0,
    });
    const wrong = hanging({ apiKey: 'with a\nline' });
    expect(await timed(wrong.marquee.getContract(address))).toMatchObject({ after: 0 });
    expect(wrong.asked).toEqual([]);
  });

  it('is not thrown for ids that only look like paths, which are sent as one part of the path', async () => {
    const { marquee, asked } = refusing(404);

    for (const id of ['a/../b', '%2e%2e', '...', ' ']) await timed(marquee.getEvent(id));

    expect(asked.map(({ url }) => new URL(url).pathname.split('/').length)).toEqual([6, 6, 6, 6]);
  });
});

describe("the browser's cookies", () => {
  it('are sent only with the stream call', async () => {
    const { marquee, asked } = clientOf(() => Response.json({}), { credentials: 'include' });

    await marquee.getEvent('final');
    await marquee.getStream('final');
    await marquee.getUserData();

    expect(asked.map(({ credentials }) => credentials)).toEqual(['same-origin', 'include', 'same-origin']);
  });
});

describe('the session of a stream call', () => {
  it('is sent with the continuation and the session to take over, if these are given', async () => {
    const { marquee, asked } = clientOf(() => Response.json({}));

    await marquee.getStream('final');
    await marquee.getStream('final', { session: 'tab', continuation: undefined });
    await marquee.getStream('final', { session: 'tab', continuation: 'c1', takeOver: 'other' });

    expect(asked.map(({ url }) => new URL(url).search)).toEqual([
      '',
      '?session=tab',
      '?session=tab&continuation=c1&take_over=other',
    ]);
  });
});

describe('the HTTP response', () => {
  it('is returned with the data by withResponse', async () => {
    const { marquee, asked } = clientOf(() =>
      Response.json({ tokens: [{ id: '1' }] }, { status: 201, headers: { 'x-amzn-requestid': 'r-1' } }),
    );

    const { data, response } = await marquee.mintBatch(address, [seat]).withResponse();

    expect(data).toEqual([{ id: '1' }]);
    expect([response.status, response.headers.get('x-amzn-requestid')]).toEqual([201, 'r-1']);
    expect(await marquee.mintBatch(address, [seat])).toEqual([{ id: '1' }]);
    expect(new Headers(asked[0]?.headers).get('accept-encoding')).toBe('gzip');
  });

  it.each([
    ['none', '403 Forbidden. The base API got no API key.', ''],
    ['whole', '403 Forbidden. The base API refused the key that ends in …4f2a.', `${'k'.repeat(36)}4f2a`],
    ['short', '403 Forbidden. The base API refused a key that is too short to be an API key.', 'secret4f2a'],
  ])(
    'to a rejected key becomes an error that names the API and contains at most the end of the key (%s)',
    async (_case, message, apiKey) => {
      const { marquee } = clientOf(() => Response.json({ message: 'Forbidden' }, { status: 403 }), {
        apiKey,
      });

      await expect(marquee.getContract(address)).rejects.toMatchObject({ name: 'ForbiddenError', message });
    },
  );

  it('of a rejected call is part of the error, which is thrown once', async () => {
    const unhandled: unknown[] = [];
    const hear = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', hear);
    const { marquee } = refusing(404, { message: 'EVENT_NOT_FOUND' }, { 'x-amzn-requestid': 'r-1' });

    const error = await marquee
      .getEvent('final')
      .withResponse()
      .catch((caught: unknown) => caught);
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', hear);

    if (!(error instanceof NotFoundError)) throw error;
    expect(error).toMatchObject({ code: 'EVENT_NOT_FOUND', requestId: 'r-1' });
    expect(error.headers.get('x-amzn-requestid')).toBe('r-1');
    expect(unhandled).toEqual([]);
  });
});

describe('the exports of the package', () => {
  it('are exactly the listed ones', () => {
    expect(Object.keys(index).sort()).toEqual(
      [
        ...['ApiError', 'BadRequestError', 'ConfirmationFailedError', 'ConflictError', 'ForbiddenError'],
        ...['MarqueeError', 'NoAnswerError', 'NotFoundError', 'TooManyRequestsError', 'UnauthorizedError'],
        ...['UnavailableError', 'createClient'],
      ].sort(),
    );
    expect(Object.keys(notifications).sort()).toEqual(['UntrustedMessageError', 'createWebhooks']);
  });

  it('include errors that keep their names when code is minified', async () => {
    const bundle = await build({
      stdin: {
        contents: "export * from './index.ts'; export { UntrustedMessageError } from './notifications.ts';",
        resolveDir: fileURLToPath(new URL('../../src', import.meta.url)),
        loader: 'ts',
      },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      write: false,
    });
    const minified: Record<string, new (message: string) => Error> = await import(
      `data:text/javascript,${encodeURIComponent(bundle.outputFiles[0]?.text ?? '')}`
    );

    const classes = Object.entries(minified).filter(([name]) => name.endsWith('Error'));

    expect(classes).toHaveLength(12);
    for (const [name, Class] of classes) expect(Class.prototype.name).toBe(name);
  });
});
