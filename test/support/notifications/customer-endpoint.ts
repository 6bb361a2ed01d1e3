import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One POST request that an endpoint received. */
export interface Posted {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
  readonly messageId: string;
  readonly at: number;
}

/** A status to answer with, or what happens instead of an answer. */
export type Reaction = number | 'hang' | 'close';

/** Confirms each subscription by itself, and accepts every message. */
export const confirming = async ({ body }: Posted): Promise<Reaction> => {
  if ('SubscribeURL' in body) await fetch(String(body.SubscribeURL));
  return 200;
};

/** A customer's endpoint that records the requests it receives. It does not confirm subscriptions by itself. */
export interface CustomerEndpoint {
  readonly url: string;
  readonly posted: readonly Posted[];
  stop(): Promise<void>;
}

export const startCustomerEndpoint = async (
  react: (post: Posted) => Reaction | Promise<Reaction> = () => 200,
): Promise<CustomerEndpoint> => {
  const posted: Posted[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const post = {
      path: request.url ?? '/',
      headers: request.headers,
      text,
      body: JSON.parse(text),
      messageId: String(request.headers['x-amz-sns-message-id']),
      at: Date.now(),
    };
    posted.push(post);
    const reaction = await react(post);
    if (reaction === 'close') request.socket.destroy();
    if (typeof reaction === 'number') {
      response.statusCode = reaction;
      response.end();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    posted,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** The notifications among the requests that an endpoint received. */
export const notificationsOf = ({ posted }: CustomerEndpoint): Posted[] =>
  posted.filter(({ headers }) => headers['x-amz-sns-message-type'] === 'Notification');
