import { createHash } from 'node:crypto';
import * as z from 'zod';
import { tellLaterData } from '../../platform/later-data.ts';
import { parseAddress } from '../endpoints/address.ts';
import { messageIn } from '../messages/wire-message.ts';
import { type Delivery, type RecordBatch, responseBytesAtMost } from '../record/record.ts';

const attributeSchema = z.object({ Value: z.string().min(1) });

/** A message as SNS sends it to a queue that is subscribed without raw delivery. */
const envelopeSchema = z.object({
  Type: z.literal('Notification'),
  MessageId: z.string().min(1),
  Timestamp: z.iso.datetime(),
  Message: z.string(),
  MessageAttributes: z.object({
    application_id: attributeSchema,
    redrive_of: attributeSchema.optional(),
    replay_of: attributeSchema.optional(),
  }),
});

/** A whole number, or a string of digits. Anything else counts as absent. */
const wholeNumber = z
  .union([z.int().min(0), z.string().regex(/^\d+$/).transform(Number)])
  .optional()
  .catch(undefined);

/**
 * A line of SNS's delivery log ("Amazon SNS message delivery status"), written when a delivery has ended. AWS documents
 * examples but no schema, so only the indispensable fields are required.
 */
const deliveryLineSchema = z.object({
  notification: z.object({
    messageId: z.string().min(1),
    messageMD5Sum: z.string().optional().catch(undefined),
    topicArn: z.string().optional().catch(undefined),
  }),
  delivery: z.object({
    destination: z.string().min(1),
    providerResponse: z.unknown().optional(),
    attempts: wholeNumber,
    dwellTimeMs: wholeNumber,
    statusCode: wholeNumber,
  }),
  status: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['SUCCESS', 'FAILURE'])),
});

/**
 * Whether the delivered message is the one that asks an endpoint to confirm. The line contains only its MD5 sum. The text
 * is from "HTTP/HTTPS subscription confirmation JSON format". AWS does not document whether it logs such deliveries.
 */
const isConfirmation = ({ topicArn, messageMD5Sum }: z.output<typeof deliveryLineSchema>['notification']) =>
  createHash('md5')
    .update(
      `You have chosen to subscribe to the topic ${topicArn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
    )
    .digest('hex') === messageMD5Sum;

const responseText = (response: unknown): string => {
  if (response === undefined || response === null) return '';
  return typeof response === 'string' ? response : JSON.stringify(response);
};

export const deliveryLinesSchema = z.object({
  delivery_lines: z.array(z.object({ timestamp: z.number(), line: z.string() })),
});

const beginningOf = (text: string): string =>
  Buffer.byteLength(text) <= responseBytesAtMost
    ? text
    : // A character that is cut in half decodes to U+FFFD, which is removed.
      Buffer.from(text)
        .subarray(0, responseBytesAtMost)
        .toString()
        .replace(/\uFFFD+$/, '');

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const nothing: RecordBatch = { sent: [], deliveries: [], unreadable: [] };

const someMessageSchema = z.object({ operation_type: z.string() });

const sentIn = (body: unknown): RecordBatch => {
  const envelope = envelopeSchema.safeParse(body).data;
  if (envelope === undefined) return nothing;
  const { MessageId: id, Message, Timestamp, MessageAttributes } = envelope;
  const message = messageIn(json(Message));
  if (message === undefined) {
    const later = someMessageSchema.safeParse(json(Message)).data;
    if (later === undefined) return nothing;
    tellLaterData({ kind: 'notification', id, unknown: [`a message with ${later.operation_type}`] });
    return { ...nothing, isLater: true };
  }
  const sent = {
    ...parseAddress(MessageAttributes.application_id.Value),
    id,
    publishedAt: Date.parse(Timestamp),
    message,
    redriveOf: MessageAttributes.redrive_of?.Value,
    replayOf: MessageAttributes.replay_of?.Value,
  };
  return { ...nothing, sent: [sent] };
};

const deliveryIn = ({
  timestamp,
  line,
}: {
  readonly timestamp: number;
  readonly line: string;
}): { readonly delivery: Delivery; readonly isConfirmation: boolean } | undefined => {
  const parsed = deliveryLineSchema.safeParse(json(line)).data;
  if (parsed === undefined) return undefined;
  const { notification, delivery, status } = parsed;
  return {
    isConfirmation: isConfirmation(notification),
    delivery: {
      messageId: notification.messageId,
      destination: delivery.destination,
      isDelivered: status === 'SUCCESS',
      statusCode: delivery.statusCode,
      attempts: delivery.attempts ?? 1,
      at: timestamp,
      reason: beginningOf(responseText(delivery.providerResponse)),
      dwellMilliseconds: delivery.dwellTimeMs,
    },
  };
};

/**
 * Reads a message of the queue that feeds the notification records. The result is empty if neither SNS nor this service
 * can have written the message.
 */
export const recordedIn = (text: string): RecordBatch => {
  const body = json(text);
  const lines = deliveryLinesSchema.safeParse(body).data?.delivery_lines;
  if (lines !== undefined) {
    const read = lines.map((each) => ({ line: each.line, known: deliveryIn(each) }));
    const known = read.flatMap((each) => each.known ?? []);
    return {
      ...nothing,
      deliveries: known.filter((each) => !each.isConfirmation).map(({ delivery }) => delivery),
      confirmations: known.filter((each) => each.isConfirmation).map(({ delivery }) => delivery),
      unreadable: read.filter((each) => each.known === undefined).map(({ line }) => line),
    };
  }
  return sentIn(body);
};
