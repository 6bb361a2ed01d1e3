import * as z from 'zod';
import { parseAddress } from './address.ts';
import type { Delivery, SentNotification } from './record.ts';
import { messageIn } from './wire-message.ts';

/** A message as SNS hands it to a queue that is subscribed without raw delivery. */
const envelopeSchema = z.object({
  Type: z.literal('Notification'),
  MessageId: z.string().min(1),
  Timestamp: z.iso.datetime(),
  Message: z.string(),
  MessageAttributes: z.object({ application_id: z.object({ Value: z.string().min(1) }) }),
});

/** A line of SNS's delivery log ("Amazon SNS message delivery status"), written when a delivery has ended. */
const deliveryLineSchema = z.object({
  notification: z.object({ messageId: z.string().min(1), timestamp: z.string() }),
  delivery: z.object({
    destination: z.string().min(1),
    providerResponse: z.string().optional(),
    attempts: z.int().min(0).default(1),
    statusCode: z.int().optional(),
  }),
  status: z.enum(['SUCCESS', 'FAILURE']),
});

/** Lines of the delivery log on their way through the queue, each with the time at which it was logged. */
export const deliveryLinesSchema = z.object({
  delivery_lines: z.array(z.object({ timestamp: z.number(), line: z.string() })),
});

const longestReason = 300;

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const sentIn = (body: unknown): SentNotification | undefined => {
  const envelope = envelopeSchema.safeParse(body).data;
  const message = envelope && messageIn(json(envelope.Message));
  if (envelope === undefined || message === undefined) return undefined;
  return {
    ...parseAddress(envelope.MessageAttributes.application_id.Value),
    id: envelope.MessageId,
    publishedAt: Date.parse(envelope.Timestamp),
    message,
  };
};

const deliveryIn = ({
  timestamp,
  line,
}: {
  readonly timestamp: number;
  readonly line: string;
}): Delivery | undefined => {
  const parsed = deliveryLineSchema.safeParse(json(line)).data;
  if (parsed === undefined) return undefined;
  const { notification, delivery, status } = parsed;
  return {
    messageId: notification.messageId,
    destination: delivery.destination,
    isDelivered: status === 'SUCCESS',
    statusCode: delivery.statusCode,
    attempts: delivery.attempts,
    at: timestamp,
    reason: (delivery.providerResponse ?? '').slice(0, longestReason),
  };
};

/** What a message of the record's queue tells; what neither SNS nor we can have written is nothing. */
export const recordedIn = (
  text: string,
): { readonly sent: readonly SentNotification[]; readonly deliveries: readonly Delivery[] } => {
  const body = json(text);
  const lines = deliveryLinesSchema.safeParse(body).data?.delivery_lines;
  if (lines !== undefined) {
    return { sent: [], deliveries: lines.flatMap((line) => deliveryIn(line) ?? []) };
  }
  const sent = sentIn(body);
  return { sent: sent === undefined ? [] : [sent], deliveries: [] };
};
