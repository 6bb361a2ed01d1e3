import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { Pool } from 'undici';
import { whyRefused } from '../../local-caller.ts';
import type { Address } from '../../processes/unreachable-by-pages.ts';
import type { ChainFaults } from './types.ts';

export interface FrontOptions {
  readonly port: number;
  readonly node: Address;
  readonly pageOrigins: readonly string[];
  readonly faults: () => ChainFaults;
}

/** The headers that anvil reads. With the last three, it answers preflight requests. */
const passedOn = [
  'content-type',
  'content-length',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
] as const;

/**
 * Listens at the chain's port, and passes on what callers may send. anvil itself answers any page and any host name, so
 * a website could mint with it. JSON-RPC over HTTP and over WebSocket pass unchanged.
 */
export const listenForCallers = async ({ port, node, pageOrigins, faults }: FrontOptions) => {
  const pool = new Pool(`http://${node.host}:${node.port}`, {
    connections: 64,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const tunnels = new Set<Duplex>();
  const refusalOf = (incoming: IncomingMessage): string | undefined =>
    whyRefused(incoming, { pageOrigins, extensions: true });

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (faults().isOutOfReach) return void incoming.socket.destroy();
    const refusal = refusalOf(incoming);
    if (refusal !== undefined) {
      outgoing.writeHead(403, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ error: `Refused: ${refusal}.` }));
      return;
    }
    const { method = 'GET', url: path = '/', headers } = incoming;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    await pool.stream(
      {
        path,
        method: method as 'POST',
        headers: Object.fromEntries(passedOn.map((name) => [name, headers[name]])),
        body: hasBody ? incoming : null,
      },
      ({ statusCode, headers: { connection: _, ...answered } }) => outgoing.writeHead(statusCode, answered),
    );
  };

  const server = createServer({ keepAliveTimeout: 60_000, noDelay: true }, (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(`The chain does not answer: ${String(error)}`);
    });
  });

  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (faults().isOutOfReach) return void socket.destroy();
    const refusal = refusalOf(incoming);
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\nRefused: ${refusal}.`);
      return;
    }
    const { method, url, rawHeaders } = incoming;
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
    );
    const upstream = connect(node, () => {
      upstream.write([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      upstream.write(head);
    });
    tunnels.add(socket);
    pipeline(socket, upstream, socket, () => {
      tunnels.delete(socket);
      socket.destroy();
      upstream.destroy();
    });
  });

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Posts a JSON-RPC call of the runtime itself, which no fault concerns. */
    post: async (call: unknown): Promise<unknown> => {
      const { body } = await pool.request({
        path: '/',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      });
      return body.json();
    },
    stop: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      for (const tunnel of tunnels) tunnel.destroy();
      await pool.destroy();
    },
  };
};
