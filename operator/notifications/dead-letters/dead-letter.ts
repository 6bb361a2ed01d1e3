import * as z from 'zod';
import type { Message } from '../../../shared/notifications/messages/message.ts';
import { messageIn } from '../../../shared/notifications/messages/wire-message.ts';

/** SNS's envelope around a message, for a subscription without raw delivery. */
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
