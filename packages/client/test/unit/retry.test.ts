import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  BadRequestError,
  ConfirmationFailedError,
  ConflictError,
  createClient,
  NoAnswerError,
  TooManyRequestsError,
  UnavailableError,
} from '../../src/index.ts';

const refusal = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ status, message }, { status, headers });
const contract = { address: '0x1', name: 'One', status: 'pending', is_confirmed: false };
const made = () => Response.json(contract, { status: 201 });
const broken = () => {
  throw new TypeError('fetch failed');
};

/** A `fetch` that gives these answers in turn, and then repeats the last one. */
const scripted = (...answers: (() => Response)[]) => {
  const calls: { url: string; headers: Headers; body: unknown; at: number }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    calls.push({ url: String(url), headers: new Headers(init?.headers), body: init?.body, at: Date.now() });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer === undefined ? broken() : answer();
  };
  return { calls, fetch };
};

const clientOf = (fetch: typeof globalThis.fetch) =>
  createClient({
    baseUrl: 'https://base.example.com/prod/',
    apiUrlB2b: 'https://b2b.example.com',
    apiKey: 'key',
    deadlineMilliseconds: 30_000,
    fetch,
  });

const body = { name: 'One', symbol: 'ONE', chain: 'MATIC' } as const;

/** Lets fake timers run, so that the waits in this work take no time. */
const inNoTime = async <Value>(work: Promise<Value>): Promise<Value> => {
  const settled = work.catch(() => undefined);
  await vi.runAllTimersAsync();
  await settled;
  return work;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a write call', () => {
  it('is retried with the same key and body until it succeeds', async () => {
    const { calls, fetch } = scripted(
      broken,
      () => refusal(503, 'CHAIN_UNAVAILABLE'),
      () => refusal(429, 'TOO_MANY_REQUESTS'),
      () => refusal(409, 'IDEMPOTENCY_KEY_IN_USE', { 'retry-after': '1' }),
      () => new Response('<html>', { status: 504 }),
      made,
    );

    const answer = await inNoTime(clientOf(fetch).createContract(body));

    expect(answer.address).toBe('0x1');
    expect(calls).toHaveLength(6);
    expect(new Set(calls.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(calls[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(calls.map((call) => call.body))).toEqual(new Set([JSON.stringify(body)]));
    expect(calls[0]?.url).toBe('https://base.example.com/prod/api/v1/nft/contracts/');
  });

  it("uses the caller's idempotency key if it is given", async () => {
    const { calls, fetch } = scripted(made);

    await inNoTime(clientOf(fetch).createContract(body, { idempotencyKey: 'order-1' }));

    expect(calls[0]?.headers.get('idempotency-key')).toBe('order-1');
  });

  it('waits at least for the time in Retry-After', async () => {
    const { calls, fetch } = scripted(() => refusal(503, 'CHAIN_UNAVAILABLE', { 'retry-after': '7' }), made);

    await inNoTime(clientOf(fetch).createContract(body));

    expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(7_000);
  });

  it('is not retried if a retry cannot help, and the error contains the reason', async () => {
    const wrong = {
      status: 400,
      message: 'BAD_REQUEST',
      errors: [{ path: 'name', message: 'Must not be empty' }],
    };
    const { calls, fetch } = scripted(() => Response.json(wrong, { status: 400 }));

    const error = await inNoTime(clientOf(fetch).createContract(body)).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, code: 'BAD_REQUEST', fields: wrong.errors });
    expect(calls).toHaveLength(1);
  });

  it('without an idempotency key is not retried after a 503 that leaves the outcome open', async () => {
    const { calls, fetch } = scripted(() => refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }));

    const { error } = await inNoTime(clientOf(fetch).http.POST('/notifications/test', { body: {} }));

    expect(error).toMatchObject({ message: 'SERVICE_UNAVAILABLE' });
    expect(calls).toHaveLength(1);
  });

  it('with an idempotency key is retried after a 503 that leaves the outcome open', async () => {
    const { calls, fetch } = scripted(
      () => refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }),
      made,
    );

    await inNoTime(clientOf(fetch).createContract(body));

    expect(calls).toHaveLength(2);
  });

  it('fails at once if the time in Retry-After exceeds the deadline', async () => {
    const { calls, fetch } = scripted(() => refusal(429, 'DAILY_LIMIT_REACHED', { 'retry-after': '40000' }));

    const error = await inNoTime(clientOf(fetch).createContract(body)).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error).toMatchObject({ code: 'DAILY_LIMIT_REACHED', retryAfterSeconds: 40_000 });
    expect(calls).toHaveLength(1);
  });

  it('fails at once if the quota of the day is used up', async () => {
    const { calls, fetch } = scripted(() => refusal(429, 'QUOTA_EXCEEDED'));

    const error = await inNoTime(clientOf(fetch).createContract(body)).catch((caught: unknown) => caught);

    expect(error).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(calls).toHaveLength(1);
  });

  it('fails at the deadline, with the last response or without one', async () => {
    const began = Date.now();
    const unavailable = inNoTime(
      clientOf(scripted(() => refusal(503, 'CHAIN_UNAVAILABLE')).fetch).createContract(body),
    );
    await expect(unavailable).rejects.toBeInstanceOf(UnavailableError);
    expect(Date.now() - began).toBeLessThanOrEqual(30_000);

    await expect(inNoTime(clientOf(scripted(broken).fetch).createContract(body))).rejects.toBeInstanceOf(
      NoAnswerError,
    );
  });

  it('is not retried after a permanent conflict', async () => {
    const { calls, fetch } = scripted(() => refusal(409, 'CONTRACT_FAILED'));
    const seat = { destination: '0x2', metadata: { name: 'Seat' } };

    await expect(inNoTime(clientOf(fetch).mintToken('0x1', seat))).rejects.toBeInstanceOf(ConflictError);
    expect(calls).toHaveLength(1);
  });

  it('with If-Match is not retried if there is no response', async () => {
    const { calls, fetch } = scripted(broken);
    const marquee = createClient({
      apiUrlProfile: 'https://profile.example.com',
      accessToken: 'token',
      fetch,
    });

    const writing = marquee.putUserData({ user_data: { n: '1' } }, { ifMatch: '"1"' });

    await expect(inNoTime(writing)).rejects.toThrow(NoAnswerError);
    expect(calls.map(({ headers }) => headers.get('if-match'))).toEqual(['"1"']);
  });

  it('that deletes an event is not retried if there is no response: the event may have been created again', async () => {
    const { calls, fetch } = scripted(broken);

    await expect(inNoTime(clientOf(fetch).deleteCatalogueEvent('final'))).rejects.toThrow(NoAnswerError);
    expect(calls).toHaveLength(1);
  });

  it('is aborted by its signal', async () => {
    const controller = new AbortController();
    const { fetch } = scripted(() => {
      controller.abort(new Error('enough'));
      return refusal(503, 'CHAIN_UNAVAILABLE');
    });

    await expect(
      inNoTime(clientOf(fetch).createContract(body, { signal: controller.signal })),
    ).rejects.toThrow('enough');
  });
});

describe('other calls of the client', () => {
  it('read a list page by page with the same query each time', async () => {
    const next = '<https://elsewhere.example.com/api/v1/nft/contracts/?limit=1&cursor=abc>; rel="next"';
    const { calls, fetch } = scripted(
      () => Response.json([contract], { headers: { link: next } }),
      () => Response.json([{ ...contract, name: 'Two' }]),
    );
    const names: string[] = [];

    for await (const { name } of clientOf(fetch).listContracts({ limit: 1 })) names.push(name);

    expect(names).toEqual(['One', 'Two']);
    expect(calls.map(({ url }) => url)).toEqual([
      'https://base.example.com/prod/api/v1/nft/contracts/?limit=1',
      'https://base.example.com/prod/api/v1/nft/contracts/?limit=1&cursor=abc',
    ]);
  });

  it('are retried without an idempotency key if a POST only reads', async () => {
    const { calls, fetch } = scripted(broken, () => Response.json({ application_user_sub: 's' }));

    await inNoTime(clientOf(fetch).readUserData('s'));

    expect(calls.map(({ url }) => url)).toEqual(Array(2).fill('https://b2b.example.com/user-data/read'));
    expect(calls[0]?.headers.has('idempotency-key')).toBe(false);
  });

  it('throw an error that names a missing option, such as apiUrlB2b', async () => {
    await expect(createClient({ baseUrl: 'https://base.example.com' }).readUserData('s')).rejects.toThrow(
      'apiUrlB2b',
    );
  });

  it('wait until something is confirmed or has failed', async () => {
    const confirmed = { ...contract, is_confirmed: true, status: 'confirmed' };
    const failed = { ...contract, status: 'failed', failure_reason: 'out of gas' };
    const wait = (...answers: object[]) =>
      inNoTime(
        clientOf(scripted(...answers.map((one) => () => Response.json(one))).fetch).waitUntilConfirmed({
          address: '0x1',
        }),
      );

    expect(await wait(contract, contract, confirmed)).toEqual(confirmed);
    await expect(wait(contract, failed)).rejects.toThrow(ConfirmationFailedError);
    await expect(wait(contract)).rejects.toThrow('Not confirmed within 300000 ms');
  });
});

describe('a call without a response in a browser', () => {
  afterEach(() => vi.unstubAllGlobals());

  const fetchOf = (readable: (calls: number) => boolean, reachable: boolean) => {
    const modes: (string | undefined)[] = [];
    const fetch: typeof globalThis.fetch = async (_, init) => {
      modes.push(init?.mode);
      if (init?.mode === 'no-cors' ? reachable : readable(modes.length)) return Response.json({ id: 1 });
      return broken();
    };
    return { modes, fetch };
  };

  it('names the origin that the service does not allow, after ten seconds or at the end of the call', async () => {
    vi.stubGlobal('location', { origin: 'https://fans.example' });
    const { modes, fetch } = fetchOf(() => false, true);
    const refusal = /does not allow pages of https:\/\/fans\.example \(CORS\)/;
    const began = Date.now();

    await expect(inNoTime(clientOf(fetch).getEvent('final'))).rejects.toThrow(refusal);

    expect(Date.now() - began).toBeGreaterThanOrEqual(10_000);
    expect(Date.now() - began).toBeLessThan(20_000);
    expect(modes.slice(0, 4)).toEqual([undefined, 'cors', 'no-cors', undefined]);
    expect(modes.slice(-3)).toEqual([undefined, 'cors', 'no-cors']);
    expect(modes.filter((mode) => mode === 'cors')).toHaveLength(2);
    const short = clientOf(fetch).getEvent('final', { timeout: 2_000 });
    await expect(inNoTime(short)).rejects.toThrow(refusal);
  });

  it('is retried if a proxy in front of the service has answered without CORS headers', async () => {
    vi.stubGlobal('location', { origin: 'https://fans.example' });
    const began = Date.now();
    const { fetch } = fetchOf(() => Date.now() - began > 8_000, true);

    await expect(inNoTime(clientOf(fetch).getEvent('final'))).resolves.toEqual({ id: 1 });
  });

  it('is retried until its deadline if an earlier response could be read', async () => {
    vi.stubGlobal('location', { origin: 'https://fans.example' });
    let isUp = true;
    const { modes, fetch } = fetchOf(() => isUp, true);
    const marquee = clientOf(fetch);
    await inNoTime(marquee.getEvent('final'));
    isUp = false;
    const began = Date.now();

    await expect(inNoTime(marquee.getEvent('final'))).rejects.toThrow(NoAnswerError);

    expect(Date.now() - began).toBeGreaterThan(20_000);
    expect(new Set(modes)).toEqual(new Set([undefined]));
  });

  it('waits for the reason no longer than one try', async () => {
    vi.stubGlobal('location', { origin: 'https://fans.example' });
    let tries = 0;
    const fetch: typeof globalThis.fetch = async (_, init) => {
      if (init?.mode !== undefined) return new Promise(() => {});
      tries += 1;
      return tries === 1 ? broken() : Response.json({ id: 1 });
    };
    const began = Date.now();

    await expect(inNoTime(clientOf(fetch).getEvent('final'))).resolves.toEqual({ id: 1 });

    expect(Date.now() - began).toBeLessThan(16_000);
  });

  it('is retried if the service allows the origin or is unreachable', async () => {
    vi.stubGlobal('location', { origin: 'https://fans.example' });
    const passing = fetchOf((calls) => calls > 1, true);
    const down = fetchOf(() => false, false);

    await expect(inNoTime(clientOf(passing.fetch).getEvent('final'))).resolves.toEqual({ id: 1 });
    await expect(inNoTime(clientOf(down.fetch).getEvent('final'))).rejects.toThrow(NoAnswerError);

    expect(passing.modes).toEqual([undefined, 'cors', undefined]);
    expect(down.modes.slice(0, 4)).toEqual([undefined, 'cors', 'no-cors', undefined]);
    expect(down.modes.length).toBeGreaterThan(5);
  });
});
