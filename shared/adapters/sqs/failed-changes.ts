import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { FailedChanges } from '../../users/ports/failed-changes.ts';

/** A message of SQS takes 256 KB in every region; an item of DynamoDB, and so a stream record, up to 400 KB. */
const maximumBytes = 250_000;

/**
 * JSON in characters that SQS takes. It refuses a message with one of these two, which JSON leaves as they are and
 * anyone can write into their data; what else it refuses, JSON escapes.
 */
const toBody = (message: unknown): string =>
  JSON.stringify(message).replace(/[\ufffe\uffff]/g, (character) =>
    character === '\uffff' ? '\\uffff' : '\\ufffe',
  );

const identitySchema = z.looseObject({
  eventID: z.string().optional(),
  eventName: z.string().optional(),
  dynamodb: z.looseObject({ Keys: z.unknown(), SequenceNumber: z.string().optional() }).optional(),
});

/** What still names a record that is too large to be kept whole. */
const identityOf = (record: unknown) => {
  const { eventID, eventName, dynamodb } = identitySchema.parse(record);
  return { eventID, eventName, dynamodb: { Keys: dynamodb?.Keys, SequenceNumber: dynamodb?.SequenceNumber } };
};

/** The failure queue of the publisher: `{"reason": "…", "record": {…}}`, the record as the stream had it. */
export const sqsFailedChanges = ({
  client,
  queueUrl,
}: {
  readonly client: SQSClient;
  readonly queueUrl: string;
}): FailedChanges => ({
  keep: async ({ record, reason }) => {
    const shortReason = reason.slice(0, 1_000);
    const whole = toBody({ reason: shortReason, record });
    const body =
      Buffer.byteLength(whole) <= maximumBytes
        ? whole
        : toBody({ reason: shortReason, record: identityOf(record) });
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
  },
});
