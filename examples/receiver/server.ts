import { createServer, type IncomingMessage, type Server } from 'node:http';
import * as z from 'zod';
import {
  confirmationUrl,
  type Notification,
  notificationSchema,
  openEnvelope,
  type Sender,
  signatureVerifier,
  UntrustedMessageError,
} from './messages.ts';

export interface ReceiverOptions extends Sender {
  /** Must be quick: the POST is answered when it returns, and SNS waits 15 seconds at most. */
  readonly onNotification: (notification: Notification) => void;
  readonly log: (line: string) => void;
}

/** A notification is three short fields; a confirmation has a few kilobytes. */
const maximumBytes = 64 * 1024;

/** How many message ids are remembered: many more than can be repeated within the hour that SNS keeps trying. */
const rememberedIds = 100_000;

const bodySchema = z.record(z.string(), z.unknown());

const readBody = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maximumBytes) throw new UntrustedMessageError('too large');
    chunks.push(chunk);
  }
  try {
    return bodySchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch (cause) {
    throw new UntrustedMessageError('not a JSON object', { cause });
  }
};

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** On AWS the header has Amazon's name; the interface document gives it a neutral one. */
const typeOf = (request: IncomingMessage): string | undefined =>
  header(request, 'x-amz-sns-message-type') ?? header(request, 'x-notify-message-type');

/** The server that an operator subscribes to the topic. It answers POSTs on its root path. */
export const createReceiver = (options: ReceiverOptions): Server => {
  const { topicArn, onNotification, log } = options;
  const verifySignature = signatureVerifier(options);
  const seen = new Set<string>();

  const remember = (messageId: string): void => {
    seen.add(messageId);
    if (seen.size > rememberedIds) {
      const oldest = seen.values().next().value;
      if (oldest !== undefined) seen.delete(oldest);
    }
  };

  const confirm = async (body: Record<string, unknown>): Promise<void> => {
    const url = confirmationUrl(body, options);
    await verifySignature(body);
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the confirmation was answered ${response.status}`);
    log(`Subscribed to ${topicArn}`);
  };

  /** A raw message is the bare notification and unsigned: it can only make us read once too often. */
  const open = async (request: IncomingMessage, body: Record<string, unknown>) => {
    if (header(request, 'x-amz-sns-rawdelivery') === 'true') {
      if (header(request, 'x-amz-sns-topic-arn') !== topicArn)
        throw new UntrustedMessageError('another topic');
      const messageId = header(request, 'x-amz-sns-message-id');
      return { messageId, notification: notificationSchema.parse(body) };
    }
    await verifySignature(body);
    return openEnvelope(body, options);
  };

  const receive = async (request: IncomingMessage): Promise<void> => {
    const body = await readBody(request);
    const type = typeOf(request);
    if (type === 'SubscriptionConfirmation') return confirm(body);
    if (type !== 'Notification') throw new UntrustedMessageError(`of type ${type}`);
    const { messageId, notification } = await open(request, body);
    if (messageId !== undefined && seen.has(messageId)) return;
    onNotification(notification);
    // Only now: a message that could not be kept is answered with 500, and must not be dropped when SNS repeats it.
    if (messageId !== undefined) remember(messageId);
  };

  return createServer(async (request, response) => {
    const answer = (status: number) => {
      response.statusCode = status;
      response.end();
    };
    if (request.method !== 'POST' || request.url !== '/') return answer(404);
    try {
      await receive(request);
      answer(200);
    } catch (error) {
      const isTheirFault = error instanceof UntrustedMessageError || error instanceof z.ZodError;
      log(`Not accepted: ${error instanceof Error ? error.message : error}`);
      // SNS tries again after 5xx and gives up after 403.
      answer(isTheirFault ? 403 : 500);
    }
  });
};
