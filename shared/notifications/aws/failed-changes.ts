import * as z from 'zod';
import { eventAccessSchema, eventStatusSchema } from '../../ott/events/event-kinds.ts';
import { dateTimeSchema } from '../../platform/time/date-time.ts';
import type { FailedChanges, FailedEvent } from '../ports/failed-changes.ts';
import type { Queue } from './queue.ts';

/**
 * JSON with only characters that SQS accepts. SQS refuses U+FFFE and U+FFFF, which users can put into their data and
 * which JSON does not escape. JSON escapes the other characters that SQS refuses.
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

const removalSchema = z.object({
  dynamodb: z.object({
    NewImage: z.object({
      registration_id: z.object({ S: z.string() }),
      changed_at: z.object({ S: z.string() }),
      is_removed: z.object({ BOOL: z.literal(true) }),
    }),
  }),
});

/**
 * The user's key and the position in the stream, without the user's data. For a removal also the registration that has
 * ended: when the user registers again, the users table has only the new one.
 */
const identityOf = (record: unknown) => {
  const { eventID, eventName, dynamodb } = identitySchema.parse(record);
  const { NewImage } = removalSchema.safeParse(record).data?.dynamodb ?? {};
  const { Keys, SequenceNumber } = dynamodb ?? {};
  return { eventID, eventName, dynamodb: { Keys, SequenceNumber, NewImage } };
};

/** The form of a failed event in the queue, among the failed changes. */
export const failedEventSchema = z.union([
  z.object({
    event_id: z.string().min(1),
    date_time: dateTimeSchema,
    before: z.array(
      z.object({ status: eventStatusSchema, access: eventAccessSchema, categories: z.array(z.string()) }),
    ),
  }),
  z.object({ events: z.literal('many'), date_time: dateTimeSchema }),
]);

/** Puts changes of events into the queue of failed changes: `{"reason": "…", "event": {…}}`. */
export const sqsFailedEvents =
  (queue: Pick<Queue, 'send'>) =>
  async (failed: FailedEvent, reason: string): Promise<void> => {
    const event: z.input<typeof failedEventSchema> =
      failed.kind === 'many'
        ? { events: 'many', date_time: failed.dateTime }
        : {
            event_id: failed.id,
            date_time: failed.dateTime,
            before: failed.before.map(({ categories, ...kind }) => ({
              ...kind,
              categories: [...categories],
            })),
          };
    await queue.send(toBody({ reason: reason.slice(0, 1_000), event }));
  };

/**
 * The publisher's queue of failed changes: `{"reason": "…", "record": {…}}`. Messages are kept for up to 14 days. A
 * redrive needs only the user's key, so the messages contain no other data of the user.
 */
export const sqsFailedChanges = (queue: Pick<Queue, 'send'>): FailedChanges => ({
  keep: async ({ record, reason }) => {
    await queue.send(toBody({ reason: reason.slice(0, 1_000), record: identityOf(record) }));
  },
});
