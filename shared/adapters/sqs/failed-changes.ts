import * as z from 'zod';
import type { FailedChanges } from '../../users/ports/failed-changes.ts';
import type { Queue } from './queue.ts';

/**
 * JSON in characters that SQS accepts. SQS refuses a message with one of these two, which JSON does not escape and
 * anyone can put into their data; JSON escapes the others that SQS refuses.
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

/** The user's key and the position in the stream, without the user's data. */
const identityOf = (record: unknown) => {
  const { eventID, eventName, dynamodb } = identitySchema.parse(record);
  return { eventID, eventName, dynamodb: { Keys: dynamodb?.Keys, SequenceNumber: dynamodb?.SequenceNumber } };
};

/**
 * The publisher's failure queue: `{"reason": "…", "record": {…}}`. Messages stay there for up to 14 days, and notifying
 * again needs only the user's key, so nothing else of the user is kept.
 */
export const sqsFailedChanges = (queue: Pick<Queue, 'send'>): FailedChanges => ({
  keep: async ({ record, reason }) => {
    await queue.send(toBody({ reason: reason.slice(0, 1_000), record: identityOf(record) }));
  },
});
