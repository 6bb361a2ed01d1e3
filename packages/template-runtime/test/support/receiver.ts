import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

/** How the endpoint answers: with a status, by closing the connection, as the function does, or never (`hang`). */
export type Reaction = number | 'hang' | 'close' | ((response: ServerResponse) => void);

export type MessageType = 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** The received messages of this type. */
  of(type: MessageType): readonly Received[];
  react(reaction: (received: Received) => Reaction): void;
  stop(): Promise<void>;
}

const answer = (response: ServerResponse, reaction: Reaction): void => {
  if (typeof reaction === 'number') {
    response.statusCode = reaction;
    response.end();
  } else if (reaction === 'close') {
    response.destroy();
  } else if (reaction !== 'hang') {
    reaction(response);
  }
};

/** A customer's endpoint that records what it receives. It answers 200 unless `react` was called. */
export const startReceiver = async (tls?: {
  readonly key: string;
  readonly cert: string;
}): Promise<Receiver> => {
  const received: Received[] = [];
  let reactTo: (received: Received) => Reaction = () => 200;
  const listener: Parameters<typeof createServer>[1] = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const post: Received = {
      path: request.url ?? '/',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      at: Date.now(),
    };
    received.push(post);
    answer(response, reactTo(post));
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    received,
    of: (type) => received.filter(({ headers }) => headers['x-amz-sns-message-type'] === type),
    react: (reaction) => {
      reactTo = reaction;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
