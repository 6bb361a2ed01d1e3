import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { hexSchema } from '../../chain/hex.ts';
import { storedPurposeSchema } from '../../nft/store/purposes.ts';
import { entryStatusSchema } from '../../nft/tokens/status.ts';
import { tellLaterData } from '../../platform/later-data.ts';
import { dateTimeSchema } from '../../platform/time/date-time.ts';
import { toldStatuses } from '../../platform/watched.ts';
import type { UserChange } from '../../users/user.ts';
import type { Notification } from '../messages/message.ts';
import { decisionAbout, isTold, notificationsOfDecision } from '../publish/decision-notifications.ts';
import type { Change } from '../publish/publish-changes.ts';
import { type NotificationsOfDependencies, notificationsOf } from '../publish/user-notifications.ts';

const text = <Text>(schema: z.ZodType<Text>) => z.object({ S: schema }).transform(({ S }) => S as Text);
const someText = text(z.string().min(1));

/** A value in the form of the DynamoDB API, such as `{ S: 'text' }`. */
const attributeValue = z
  .custom<AttributeValue>((value) => typeof value === 'object' && value !== null)
  .transform((value): unknown => unmarshall({ value }).value);

const logRecordSchema = z.object({
  dynamodb: z.object({
    Keys: z.object({ pk: someText, sk: someText }),
    NewImage: z.object({
      purpose: attributeValue.pipe(storedPurposeSchema.refine(isTold)),
      status: text(z.enum(toldStatuses)),
      minedHash: text(hexSchema),
      failureReason: someText.optional(),
      decidedAt: z.object({ N: z.string().transform(Number) }),
    }),
  }),
});

const keysSchema = z.object({ dynamodb: z.object({ Keys: z.object({ pk: z.unknown(), sk: z.unknown() }) }) });

const someLogRecordSchema = z.object({
  dynamodb: z.object({
    Keys: z.object({ pk: someText, sk: someText }),
    NewImage: z.object({ purpose: attributeValue, status: someText }),
  }),
});

/** Logs that a later release wrote the entry, if so. */
const tellLaterEntry = (record: unknown): void => {
  const { Keys, NewImage } = someLogRecordSchema.safeParse(record).data?.dynamodb ?? {};
  if (Keys === undefined || NewImage === undefined) return;
  const unknown = [
    ...(storedPurposeSchema.safeParse(NewImage.purpose).success ? [] : ['purpose']),
    ...(entryStatusSchema.safeParse(NewImage.status).success ? [] : ['status']),
  ];
  if (unknown.length === 0) return;
  tellLaterData({ kind: 'transaction', id: `${Keys.pk} ${Number(Keys.sk)}`, unknown });
};

/**
 * The notifications about a confirmed or failed transaction, from a record of the transaction log's stream. `undefined`
 * if the record comes from another table's stream.
 * @throws if the record comes from the log's stream, but its transaction is neither confirmed nor failed, or only a
 * later release knows what it does.
 */
const notificationsInRecord = (record: unknown): readonly Notification[] | undefined => {
  if (!keysSchema.safeParse(record).success) return undefined;
  const parsed = logRecordSchema.safeParse(record);
  if (!parsed.success) {
    tellLaterEntry(record);
    throw parsed.error;
  }
  const { purpose, status, minedHash, failureReason, decidedAt } = parsed.data.dynamodb.NewImage;
  const decided = { status, transactionHash: minedHash, failureReason, decidedAt: decidedAt.N };
  return notificationsOfDecision(decisionAbout({ purpose, ...decided }));
};

const imageSchema = z
  .object({
    user_sub: someText,
    registration_id: someText,
    changed_at: text(dateTimeSchema),
    is_removed: z.object({ BOOL: z.boolean() }).optional(),
  })
  .transform(
    (image): UserChange => ({
      userSub: image.user_sub,
      registrationId: image.registration_id,
      changedAt: image.changed_at,
      isRemoved: image.is_removed?.BOOL ?? false,
    }),
  );

const userRecordSchema = z.object({
  eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
  dynamodb: z.object({ NewImage: z.unknown().optional() }),
});

/**
 * The change that a record from the users table's stream describes. `undefined` if the record says that an expired
 * tombstone was deleted, because no customer is notified of that.
 * @throws z.ZodError for a record that this service cannot have written.
 */
const userChangeInRecord = (record: unknown): UserChange | undefined => {
  const { eventName, dynamodb } = userRecordSchema.parse(record);
  return eventName === 'REMOVE' ? undefined : imageSchema.parse(dynamodb.NewImage);
};

/**
 * The change in a stream record of the users table or the transaction log. `undefined` if no customer is notified.
 * - A user's change notifies every application whose audience includes the user.
 * - A confirmed or failed transaction notifies only the contract's own application.
 * @throws for a record that this service cannot have written.
 */
export const changeInRecord =
  (dependencies: NotificationsOfDependencies) =>
  (record: unknown): Change | undefined => {
    const notifications = notificationsInRecord(record);
    if (notifications !== undefined) return { notifications: ({ subscribed }) => subscribed(notifications) };
    const change = userChangeInRecord(record);
    return (
      change && {
        // A removal is the last change of its registration, so nothing supersedes it.
        subject: change.registrationId,
        notifications: ({ applications }) => notificationsOf(dependencies, { change, applications }),
      }
    );
  };
