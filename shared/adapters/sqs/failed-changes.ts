import * as z from 'zod';
import type { FailedChanges } from '../../users/ports/failed-changes.ts';
import type { Queue } from './queue.ts';

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

/** Whose change it is and where in the stream it was, without what the user has stored. */
const identityOf = (record: unknown) => {
  const { eventID, eventName, dynamodb } = identitySchema.parse(record);
  return { eventID, eventName, dynamodb: { Keys: dynamodb?.Keys, SequenceNumber: dynamodb?.SequenceNumber } };
};

/**
 * The failure queue of the publisher: `{"reason": "…", "record": {…}}`. Messages lie there for up to 14 days and telling
 * of a change takes only the user's key, so nothing else of the user is kept.
 */
export const sqsFailedChanges = (queue: Pick<Queue, 'send'>): FailedChanges => ({
  keep: async ({ record, reason }) => {
    await queue.send(toBody({ reason: reason.slice(0, 1_000), record: identityOf(record) }));
  },
});
