import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkStreams } from '../../../operator/stage/smoke/streams.ts';
import { startTinyServer, type TinyServer } from '../../support/ott/tiny-server.ts';

const events = [
  { event_id: 'upcoming', status: 'UPCOMING', access: 'free' },
  { event_id: 'final', status: 'LIVE', access: 'paid' },
  { event_id: 'training', status: 'LIVE', access: 'free' },
];

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly cookies?: readonly string[];
}

describe('the smoke test of streams', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await startTinyServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const cookies = ['Policy', 'Signature', 'Key-Pair-Id'].map((name) => `CloudFront-${name}=a`);
  const playable = () => ({
    type: 'hls',
    url: `${server.url}/training/index.m3u8`,
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  });
  const sound = (): Record<string, Answer> => ({
    '/api/v3/ott/events/?limit=100': { status: 200, body: events },
    '/api/v3/ott/events/upcoming/stream': { status: 404, body: { message: 'STREAM_NOT_AVAILABLE' } },
    '/api/v3/ott/events/final/stream': { status: 403, body: { message: 'LOGIN_REQUIRED' } },
    '/api/v3/ott/events/training/stream': { status: 200, body: playable(), cookies },
    '/training/index.m3u8': { status: 403, body: {} },
  });
  const faults = async (answers: Record<string, Answer>) => {
    server.behave(({ path }, response) => {
      const { status, body, cookies: sent = [] } = answers[path] ?? { status: 500, body: {} };
      response.writeHead(status, { 'content-type': 'application/json', 'set-cookie': [...sent] });
      response.end(JSON.stringify(body));
    });
    const results = await checkStreams({ baseUrl: server.url, signing: 'cookies' });
    return results.map((result) => result.faults);
  };

  it('passes when the right calls are refused and the others are signed', async () => {
    expect(await faults(sound())).toEqual([[], [], []]);
  });

  it('reports a fault when anybody can play a restricted stream', async () => {
    const open = { status: 200, body: playable(), cookies };

    const [paid, upcoming, free] = await faults({
      ...sound(),
      '/api/v3/ott/events/upcoming/stream': open,
      '/api/v3/ott/events/final/stream': open,
      '/training/index.m3u8': { status: 200, body: {} },
    });

    expect(paid).toEqual([expect.stringContaining(', expected 403 LOGIN_REQUIRED')]);
    expect(upcoming).toEqual([expect.stringContaining(', expected 404 STREAM_NOT_AVAILABLE')]);
    expect(free).toEqual([expect.stringContaining('answered 200 without a signature')]);
  });

  it('reports a fault when a signed stream has no expiry or no cookies', async () => {
    const [, , free] = await faults({
      ...sound(),
      '/api/v3/ott/events/training/stream': { status: 200, body: { ...playable(), expires_at: null } },
    });

    expect(free).toEqual(['expires_at: is not in the future', 'set-cookie: is missing']);
  });

  it('passes when there are no events, or no list of events', async () => {
    expect(await faults({ ...sound(), '/api/v3/ott/events/?limit=100': { status: 200, body: [] } })).toEqual(
      [],
    );
    expect(await faults({})).toEqual([]);
  });
});
