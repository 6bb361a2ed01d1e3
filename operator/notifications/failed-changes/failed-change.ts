import * as z from 'zod';
import { failedEventSchema } from '../../../shared/notifications/aws/failed-changes.ts';

const removalSchema = z.object({
  registration_id: z.object({ S: z.string() }),
  changed_at: z.object({ S: z.string() }),
});

/**
 * A stream record of a user that the publisher quarantined. The key of the record identifies the user. If the record is
 * about a removal, it also has the registration that ended.
 */
const recordSchema = z
  .object({
    reason: z.string(),
    record: z.object({
      dynamodb: z.object({
        Keys: z.object({ user_sub: z.object({ S: z.string() }) }),
        NewImage: removalSchema.optional(),
      }),
    }),
  })
  .transform(({ reason, record: { dynamodb } }) => ({
    kind: 'record' as const,
    userSub: dynamodb.Keys.user_sub.S,
    removal: dynamodb.NewImage && {
      registrationId: dynamodb.NewImage.registration_id.S,
      changedAt: dynamodb.NewImage.changed_at.S,
    },
    reason,
  }));

/**
 * A stream record that the publisher quarantined. It is about a log entry whose outcome is final, and its key
 * identifies the entry.
 */
const decisionSchema = z
  .object({
    reason: z.string(),
    record: z.object({
      dynamodb: z.object({
        Keys: z.object({
          pk: z.object({ S: z.string() }),
          sk: z.object({ S: z.string().regex(/^\d+$/).transform(Number) }),
        }),
      }),
    }),
  })
  .transform(({ reason, record: { dynamodb } }) => ({
    kind: 'decision' as const,
    signer: dynamodb.Keys.pk.S,
    nonce: dynamodb.Keys.sk.S,
    reason,
  }));

/**
 * The tables from whose streams customers are told of changes, by the output of the stack that has the table's name.
 */
export const toldTables = {
  users: 'UsersTable',
  transactions: 'TransactionsTable',
  events: 'EventsTable',
} as const;
export type ToldTable = keyof typeof toldTables;

/**
 * What Lambda sends about a batch that it stopped retrying: the position in the stream and the time, but no records.
 */
const batchSchema = z
  .object({
    requestContext: z.object({ condition: z.string() }),
    DDBStreamBatchInfo: z.object({
      streamArn: z.string(),
      approximateArrivalOfFirstRecord: z.iso.datetime(),
      batchSize: z.int(),
    }),
  })
  .transform(({ requestContext, DDBStreamBatchInfo }) => ({
    kind: 'batch' as const,
    /** The table that the stream belongs to. */
    table: DDBStreamBatchInfo.streamArn.split('/')[1] ?? '',
    since: Date.parse(DDBStreamBatchInfo.approximateArrivalOfFirstRecord),
    size: DDBStreamBatchInfo.batchSize,
    reason: requestContext.condition,
  }));

/** Changes of events that the publisher of events quarantined. */
const eventSchema = z
  .object({ reason: z.string(), event: failedEventSchema })
  .transform(({ reason, event }) =>
    'events' in event
      ? { kind: 'events' as const, dateTime: event.date_time, reason }
      : {
          kind: 'event' as const,
          id: event.event_id,
          dateTime: event.date_time,
          before: event.before,
          reason,
        },
  );

const failedChangeSchema = z.union([recordSchema, decisionSchema, eventSchema, batchSchema]);

export type FailedChange = z.output<typeof failedChangeSchema>;

/**
 * The change that a message of the failure queue is about; `undefined` if neither the publisher nor Lambda wrote the
 * message.
 */
export const failedChangeIn = (body: string): FailedChange | undefined => {
  try {
    return failedChangeSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
};
