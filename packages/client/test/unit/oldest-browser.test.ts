import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { oldestBrowsers } from '../../../../local/oldest-browsers.ts';
import { withoutNewerFeatures } from '../../../../test/support/ott/browsers/oldest-browsers.ts';

const program = fileURLToPath(new URL('../programs/oldest-browser.mjs', import.meta.url));

/** Node's own `fetch` is written with these. */
const usedByFetch = ['toWellFormed', 'setImmediate', 'clearImmediate', 'WeakRef', '@@asyncIterator'];

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('the client works in the oldest browsers, without anything that they do not have', async () => {
  const keys: unknown[] = [];
  const answers: Record<
    string,
    () => readonly [status: number, body: unknown, headers?: Record<string, string>]
  > = {
    'GET /': () => [200, {}],
    'GET /api/v3/ott/events/free': () => [200, { event_id: 'free' }],
    'GET /api/v3/ott/events/': () => [200, [{ event_id: 'a' }], { link: '</?cursor=2>; rel="next"' }],
    'GET /api/v3/ott/events/?cursor=2': () => [200, [{ event_id: 'b' }]],
    'POST /api/v1/nft/contracts/': () => (keys.length === 1 ? [503, {}] : [201, { address: '0x1' }]),
    'GET /api/v3/ott/events/bad': () => [
      400,
      { message: 'BAD_REQUEST', errors: [{ path: 'id', message: 'is bad' }] },
    ],
    'GET /api/v3/ott/events/page': () => [200, '<html>'],
    'GET /api/v1/nft/contracts/pending': () => [200, { status: 'pending', is_confirmed: false }],
    'GET /api/v3/ott/events/match/stream?session=x': () => {
      return [
        200,
        { url: 'u', expires_at: new Date(Date.now() + 60_000), renew_at: new Date(), continuation: 'c' },
      ];
    },
    'GET /api/v3/ott/events/match/stream?session=x&continuation=c': () => [
      200,
      { url: 'u', expires_at: null },
    ],
  };
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    if (method === 'POST') keys.push(headers['idempotency-key']);
    const answer = answers[`${method} ${url}`]?.();
    if (answer === undefined) return;
    const [status, body, sent] = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...sent });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { outputFiles } = await build({
    entryPoints: [program],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: oldestBrowsers,
    write: false,
  });

  // Node loads parts of its own with the first request. These parts need what is removed afterwards.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `await (await fetch(process.env.BASE)).text();\n${withoutNewerFeatures(usedByFetch)}\n${outputFiles[0]?.text}`,
    ],
    { env: { ...process.env, BASE: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } },
  );

  expect(JSON.parse(stdout)).toEqual({
    missing: ['undefined', 'undefined', false, 'undefined', 'undefined', 'undefined', 'undefined'],
    reads: { event_id: 'free' },
    lists: ['a', 'b'],
    repeats: { address: '0x1' },
    refused: 'BadRequestError: 400 BAD_REQUEST. id: is bad.',
    isBadRequest: true,
    late: expect.stringMatching(/^NoAnswerError: No answer to GET .*late/),
    lateTry: expect.stringMatching(/^NoAnswerError: No answer to GET .*late/),
    cancelled: expect.stringMatching(/^AbortError: /),
    cancelledBefore: expect.stringMatching(/^AbortError: /),
    page: expect.stringMatching(/^NoAnswerError: The answer to GET .* is not JSON/),
    cause: true,
    plays: ['c', 'end'],
    waits: 'MarqueeError: Not confirmed within 100 ms',
    wrongAddress: 'MarqueeError: baseUrl is not an address of an API: no address',
  });
  const [key] = keys;
  expect(keys).toEqual([key, key]);
  expect(key).toMatch(uuid);
});
