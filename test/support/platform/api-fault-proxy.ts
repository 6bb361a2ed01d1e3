import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What happens to one request:
 * - `cut`: the connection closes, and the API never receives the request;
 * - `lost`: the API responds, but the connection closes before the caller receives the response;
 * - `torn`: the connection closes in the middle of the response body;
 * - `late`: the API responds, but the caller receives nothing until it gives up;
 * - `twice`: the API receives the request twice at once, and the caller gets the second response;
 * - `hang`: the caller receives nothing until it gives up, and the API never receives the request;
 * - `tooMany`, `unavailable` and `soon`: an intermediary answers 429, 503, or 503 with `Retry-After`;
 * - `redirect` and `page`: an intermediary redirects elsewhere, or answers 200 with an HTML page.
 */
export const apiFaults = [
  ...(['cut', 'lost', 'torn', 'late', 'twice', 'hang'] as const),
  ...(['tooMany', 'unavailable', 'soon', 'redirect', 'page'] as const),
];
export type ApiFault = (typeof apiFaults)[number];

/** Where a redirect leads. */
export const elsewhere = '/elsewhere';

export interface ApiFaultProxy extends AsyncDisposable {
  /** Clients use this origin instead of the API's. */
  readonly origin: string;
  readonly seen: () => number;
  /** Whether a redirect was followed. */
  readonly wasFollowed: () => boolean;
}

/** A proxy in front of an API. Each request meets the fault that `next` returns, or is forwarded if there is none. */
export const startApiFaultProxy = async (
  target: string,
  next: () => ApiFault | undefined,
): Promise<ApiFaultProxy> => {
  let seen = 0;
  let wasFollowed = false;

  const pass = async (request: IncomingMessage, body: Buffer): Promise<Response> => {
    const { host: _host, connection: _connection, ...headers } = request.headers;
    return fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen += 1;
    wasFollowed ||= request.url === elsewhere;
    const body = await buffer(request);
    const fault = next();
    if (fault === 'cut') return void request.socket.destroy();
    if (fault === 'hang') return;
    if (fault === 'soon') return void response.writeHead(503, { 'retry-after': '1' }).end('{}');
    if (fault === 'redirect') return void response.writeHead(302, { location: elsewhere }).end();
    if (fault === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    if (fault === 'tooMany') return void response.writeHead(429, { 'retry-after': '0' }).end('slow down');
    if (fault === 'unavailable') return void response.writeHead(503).end('<html>');
    const answers = await Promise.all(
      Array.from({ length: fault === 'twice' ? 2 : 1 }, async () => {
        const { status, headers, ...passed } = await pass(request, body).then(async (one) => ({
          status: one.status,
          headers: one.headers,
          bytes: Buffer.from(await one.arrayBuffer()),
        }));
        return { status, headers, bytes: passed.bytes };
      }),
    );
    const last = answers.at(-1);
    if (fault === 'lost' || last === undefined) return void request.socket.destroy();
    if (fault === 'late') return;
    response.writeHead(last.status, {
      'content-type': last.headers.get('content-type') ?? '',
      'content-length': last.bytes.length,
      ...Object.fromEntries(
        ['link', 'location', 'retry-after'].flatMap((name) => {
          const value = last.headers.get(name);
          return value === null ? [] : [[name, value]];
        }),
      ),
    });
    if (fault !== 'torn') return void response.end(last.bytes);
    response.write(last.bytes.subarray(0, last.bytes.length / 2), () => request.socket.destroy());
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502);
      response.end(String(error));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: () => seen,
    wasFollowed: () => wasFollowed,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
