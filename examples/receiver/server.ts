import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  isRaw,
  type Notification,
  parseNotification,
  type Sender,
  UntrustedMessageError,
  verifyNotification,
} from '@marquee/client/notifications';

export interface ReceiverOptions extends Sender {
  /** As the operator has subscribed this receiver; what comes in the other form is not from there. */
  readonly form: 'raw' | 'enveloped';
  /** Must be quick: the POST is answered when it returns, and SNS waits 15 seconds at most. */
  readonly onNotification: (notification: Notification) => void;
  readonly log: (line: string) => void;
}

/** A notification is three short fields; a confirmation has a few kilobytes. */
const maximumBytes = 64 * 1024;

/** How many message ids are remembered: many more than can be repeated within the hour that SNS keeps trying. */
const rememberedIds = 100_000;

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
  const { topicArn, form, onNotification, log } = options;
  const seen = new Set<string>();

  const remember = (messageId: string): void => {
    seen.add(messageId);
    if (seen.size > rememberedIds) {
      const oldest = seen.values().next().value;
      if (oldest !== undefined) seen.delete(oldest);
    }
  };

  const receive = async ({ headers }: IncomingMessage, body: string): Promise<void> => {
    const request = { headers, body };
    const isUnsigned = isRaw(request);
    // Or anyone could leave the signature out where one was agreed upon.
    if (isUnsigned && form !== 'raw') throw new UntrustedMessageError('raw, and not signed');
    // A raw message is unsigned: it can only make us read once too often. Confirmations are always signed.
    const message = isUnsigned
      ? parseNotification(request, options)
      : await verifyNotification(request, options);
    if (message.type === 'SubscriptionConfirmation') {
      await message.confirm();
      log(`Subscribed to ${topicArn}`);
      return;
    }
    if (message.type === 'UnsubscribeConfirmation') {
      log(`No longer subscribed to ${topicArn}`);
      return;
    }
    if (!isUnsigned && form === 'raw')
      throw new UntrustedMessageError('enveloped, where raw was agreed upon');
    const { messageId, notification } = message;
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
      await receive(request, await readBody(request));
      answer(200);
    } catch (error) {
      const isTheirFault = error instanceof UntrustedMessageError;
      log(`Not accepted: ${error instanceof Error ? error.message : error}`);
      // SNS tries again after 5xx and gives up after 403.
      answer(isTheirFault ? 403 : 500);
    }
  });
};
