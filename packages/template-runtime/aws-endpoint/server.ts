import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createMultiplexer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Engines } from '../engines/engines.ts';
import { whyRefused } from '../local-caller.ts';
import { type AwsAnswer, type AwsRequest, credentialScope } from './request.ts';
import { createServices, type Services } from './services.ts';
import { serverIdentity } from './tls.ts';
import type { StackDescription } from './types.ts';

export interface AwsEndpoint {
  readonly url: string;
  readonly secureUrl: string;
  readonly port: number;
  /**
   * PEM file of the certificate authority that a client must trust to use `secureUrl`. Created on the first start, then
   * kept in the state directory.
   */
  readonly certificateAuthorityFile: string;
  /** Starts answering AWS calls. Before that, every request gets status 503. */
  serve(services: { readonly engines: Engines; readonly stacks: () => readonly StackDescription[] }): void;
  stop(): Promise<void>;
}

export interface AwsEndpointOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  readonly stateDirectory: string;
  /** Receives one line for each request that failed because of an error in the endpoint itself. */
  readonly log: (line: string) => void;
}

/** A DynamoDB batch may be up to 16 MB. The bodies of all other requests are smaller. */
const largestBody = 20 * 1024 * 1024;
const firstByteOfTls = 0x16;

/**
 * Resolves to `undefined` as soon as the body exceeds `largestBody`. Event listeners are faster here than an iterator.
 */
const bodyOf = (incoming: IncomingMessage): Promise<Buffer | undefined> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= largestBody) chunks.push(chunk);
    else resolve(undefined);
  });
  incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  incoming.on('error', reject);
  return promise;
};

const read = async (incoming: IncomingMessage): Promise<AwsRequest | undefined> => {
  const body = await bodyOf(incoming);
  if (body === undefined) return undefined;
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?', 2);
  return {
    method: incoming.method ?? 'GET',
    path,
    get query() {
      return new URLSearchParams(query);
    },
    headers: incoming.headers,
    body,
    ...credentialScope(incoming.headers.authorization),
  };
};

const plain = (status: number, message: string): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() },
  body: JSON.stringify({ __type: 'InternalFailure', message }),
});

/** Serves HTTP and HTTPS on one port: a connection that begins with a TLS handshake is decrypted first. */
const multiplex = (options: {
  readonly plainConnection: (socket: Socket) => void;
  readonly secureConnection: (socket: Socket) => void;
  readonly sockets: Set<Socket>;
}) =>
  createMultiplexer({ pauseOnConnect: false }, (socket) => {
    options.sockets.add(socket);
    socket.once('close', () => options.sockets.delete(socket));
    // A peer may disconnect before it sends anything.
    socket.once('error', () => socket.destroy());
    socket.once('readable', () => {
      const head: Buffer | null = socket.read();
      if (head === null) return;
      socket.unshift(head);
      if (head[0] === firstByteOfTls) options.secureConnection(socket);
      else options.plainConnection(socket);
    });
  });

/** Starts listening before the deployment, because some resources need the endpoint's address. */
export const listenAwsEndpoint = async (options: AwsEndpointOptions): Promise<AwsEndpoint> => {
  const { port: wantedPort, stateDirectory, log } = options;
  const identity = await serverIdentity(stateDirectory);
  const secureContext = createSecureContext({ key: identity.privateKey, cert: identity.certificate });
  const sockets = new Set<Socket>();
  let services: Services | undefined;

  const answerTo = async (incoming: IncomingMessage): Promise<AwsAnswer> => {
    const refusal = whyRefused(incoming);
    if (refusal !== undefined) return plain(403, `Refused: ${refusal}.`);
    const request = await read(incoming);
    if (!request) return plain(413, 'The request is too large.');
    if (!services) return plain(503, 'The stack is being deployed.');
    return services.handle(request);
  };
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    let answer: AwsAnswer;
    try {
      answer = await answerTo(incoming);
    } catch (error) {
      if (incoming.destroyed && !incoming.complete) return;
      const what = incoming.headers['x-amz-target'] ?? `${incoming.method} ${incoming.url}`;
      log(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      answer = plain(500, 'The local AWS endpoint failed. Its log shows the error.');
    }
    outgoing.writeHead(answer.status, {
      ...answer.headers,
      'content-length': Buffer.byteLength(answer.body),
    });
    outgoing.end(answer.body);
  };

  const http = createServer({ keepAliveTimeout: 60_000, noDelay: true }, (incoming, outgoing) => {
    void handle(incoming, outgoing);
  });
  const server = multiplex({
    sockets,
    plainConnection: (socket) => http.emit('connection', socket),
    secureConnection(socket) {
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.once('error', () => socket.destroy());
      http.emit('connection', secure);
    },
  });
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : wantedPort;
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    secureUrl: `https://127.0.0.1:${port}`,
    port,
    certificateAuthorityFile: identity.certificateAuthorityFile,
    serve({ engines, stacks }) {
      services = createServices({ engines, stacks, endpointUrl: url });
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      await services?.stop();
    },
  };
};
