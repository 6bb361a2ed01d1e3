import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  createWebhooks,
  type Notification,
  UntrustedMessageError,
  type WebhookOptions,
} from '@marquee/client/notifications';
import { printable } from './log.ts';

export interface ReceiverOptions extends WebhookOptions {
  /** Must return quickly: the POST is answered only then, and SNS waits at most 15 seconds for the answer. */
  readonly onNotification: (notification: Notification) => void;
  /** Gets one line at a time, in which nothing but visible characters is. */
  readonly log: (line: string) => void;
}

/** The largest accepted body. A notification has a few short fields; a confirmation is a few kilobytes. */
const maximumBytes = 64 * 1024;

/** How many message ids are remembered: many more than SNS can send again within the hour of its retries. */
const rememberedIds = 100_000;

/** SNS's ids have 36 characters. A stranger could fill the memory with longer ones. */
const longestId = 100;

/** SNS waits no longer for an answer. */
const longestRequestMilliseconds = 15_000;

/** Connections beyond these are closed at once. SNS then sends the message again. */
const mostConnections = 1_000;

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maximumBytes) throw new UntrustedMessageError('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** The server that an operator subscribes to the topic. It answers POSTs on its root path. */
export const createReceiver = (options: ReceiverOptions): Server => {
  const { topicArn, onNotification } = options;
  const log = (line: string): void => options.log(printable(line));
  const webhooks = createWebhooks(options);
  const seen = new Set<string>();

  const remember = (messageId: string): void => {
    if (messageId.length > longestId) return;
    seen.add(messageId);
    if (seen.size > rememberedIds) {
      const oldest = seen.values().next().value;
      if (oldest !== undefined) seen.delete(oldest);
    }
  };

  const receive = async ({ headers }: IncomingMessage, body: string): Promise<void> => {
    const message = await webhooks.unwrap({ headers, body });
    if (message.type === 'SubscriptionConfirmation') {
      await message.confirm();
      log(`Subscribed to ${topicArn}`);
      return;
    }
    if (message.type === 'UnsubscribeConfirmation') {
      log(`No longer subscribed to ${topicArn}`);
      return;
    }
    const { messageId, notification } = message;
    if (messageId !== undefined && seen.has(messageId)) return;
    onNotification(notification);
    // The id is remembered only now. If `onNotification` throws, the answer is 500, and the message must not be dropped
    // when SNS sends it again.
    if (messageId !== undefined) remember(messageId);
  };

  const server = createServer(async (request, response) => {
    const answer = (status: number) => {
      response.statusCode = status;
      response.end();
    };
    if (request.method !== 'POST' || request.url !== '/') return answer(404);
    try {
      await receive(request, await readBody(request));
      answer(200);
    } catch (error) {
      const isTheirFault = error instanceof UntrustedMessageError;
      log(`Not accepted: ${error instanceof Error ? error.message : error}`);
      // SNS sends the message again after 5xx, and does not after 403.
      answer(isTheirFault ? 403 : 500);
    }
  });
  server.requestTimeout = longestRequestMilliseconds;
  server.maxConnections = mostConnections;
  return server;
};
