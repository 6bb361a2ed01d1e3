import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whyRefused } from 'template-runtime/local-caller.ts';
import * as z from 'zod';
import { type Forward, type Forwarded, statusFor } from './forward.ts';

/** One message that SNS posted to the listener. */
export interface Heard {
  readonly at: Date;
  readonly messageId: string | undefined;
  readonly body: unknown;
  /** What the endpoint answered to which the message was passed on. */
  readonly forwarded: Forwarded | undefined;
}

export interface Listener {
  readonly url: string;
  /** Resolves when SNS has confirmed the subscription of `url`. */
  readonly confirmed: Promise<void>;
  stop(): Promise<void>;
}

export interface ListenDependencies {
  /** Confirms the subscription with the token from its confirmation message. */
  readonly confirm: (token: string) => Promise<unknown>;
  readonly onMessage: (heard: Heard) => void;
  /** Passes each message on. SNS gets the endpoint's answer. @default SNS gets a 200 */
  readonly forward?: Forward | undefined;
}

/**
 * The start of the path shows that a leftover subscription belongs to a killed listener and not to a customer. The rest
 * is secret, because any website that is open in a browser on this machine can send requests to a port of 127.0.0.1. It
 * could otherwise show false notifications, and confirm a subscription with a token of its own.
 */
const pathStart = '/listen/';

/** Whether a subscription's address is one that a listener chose. */
export const isListenerAddress = ({ hostname, pathname }: URL): boolean =>
  hostname === '127.0.0.1' && (pathname === '/listen' || pathname.startsWith(pathStart));

/** The largest accepted request body. A notification has a few short fields; a confirmation has a few kilobytes. */
const maximumBytes = 64 * 1024;

const confirmationSchema = z.object({
  Type: z.literal('SubscriptionConfirmation'),
  Token: z.string().min(1),
});

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maximumBytes) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Starts a receiver on a free port of 127.0.0.1. It confirms the subscription whatever the endpoint does. */
export const startListener = async ({
  confirm,
  onMessage,
  forward,
}: ListenDependencies): Promise<Listener> => {
  const confirmed = Promise.withResolvers<void>();
  const path = `${pathStart}${randomBytes(24).toString('base64url')}`;
  const server = createServer(async (request, response) => {
    const answer = (status: number) => response.writeHead(status).end();
    if (whyRefused(request) !== undefined) return answer(403);
    if (request.method !== 'POST' || request.url !== path) return answer(404);
    try {
      const bytes = await bodyOf(request);
      const body: unknown = JSON.parse(bytes.toString('utf8'));
      const forwarded = await forward?.({ headers: request.headers, body: bytes });
      const confirmation = confirmationSchema.safeParse(body);
      if (confirmation.success) {
        await confirm(confirmation.data.Token);
        confirmed.resolve();
        return answer(200);
      }
      const messageId = request.headers['x-amz-sns-message-id'];
      onMessage({ at: new Date(), messageId: messageId?.toString(), body, forwarded });
      return answer(forwarded === undefined ? 200 : statusFor(forwarded));
    } catch {
      // After a 500, SNS sends the confirmation or notification again.
      return answer(500);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    confirmed: confirmed.promise,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
