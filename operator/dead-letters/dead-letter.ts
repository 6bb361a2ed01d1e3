import * as z from 'zod';
import type { Message } from '../../shared/notifications/message.ts';
import { messageIn } from '../../shared/notifications/wire-message.ts';

/** A message in the dead-letter queue. */
export interface QueuedMessage {
  readonly messageId: string;
  /** For this receipt only. */
  readonly receiptHandle: string;
  readonly body: string;
  /** When the queue got it, milliseconds since the Unix epoch. */
  readonly sentAt: number;
}

/** A queue whose messages are taken for a while and come back unless they are removed. */
export interface MessageQueue {
  /** Some messages, or none when there are none to be had. */
  take(): Promise<readonly QueuedMessage[]>;
  remove(message: QueuedMessage): Promise<void>;
  /** Lets others have them at once. */
  putBack(messages: readonly QueuedMessage[]): Promise<void>;
}

/** How SNS wraps a message for a subscription without raw delivery. */
const envelopeSchema = z.object({ Type: z.literal('Notification'), Message: z.string() });

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The message of a raw or an enveloped dead letter; `undefined` for anything else. */
export const messageOf = (body: string): Message | undefined => {
  const parsed = json(body);
  const envelope = envelopeSchema.safeParse(parsed);
  const message = envelope.success ? json(envelope.data.Message) : parsed;
  return messageIn(message);
};
