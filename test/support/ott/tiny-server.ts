import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Behaviour = (request: Received, response: ServerResponse) => void;

/** An HTTP server that uses one of the given behaviours for each request, in their order, and repeats the last one. */
export interface TinyServer extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  behave(...behaviours: readonly Behaviour[]): void;
}

export const startTinyServer = async (): Promise<TinyServer> => {
  const received: Received[] = [];
  let queue: Behaviour[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const seen = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(seen);
    const [behaviour] = queue;
    if (queue.length > 1) queue = queue.slice(1);
    behaviour?.(seen, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    behave: (...behaviours) => {
      queue = [...behaviours];
      received.length = 0;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export const answers =
  (body: unknown, { status = 200, type = 'application/json' } = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Receives the request and never answers. */
export const hangs: Behaviour = () => {};

/** Sends the head and a part of the body, and then nothing more. */
export const stallsInTheBody: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"decision":');
};

export const dropsTheConnection: Behaviour = (_, response) => {
  response.destroy();
};

export const redirectsTo =
  (location: string): Behaviour =>
  (_, response) => {
    response.writeHead(307, { location });
    response.end();
  };
