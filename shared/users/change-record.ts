import * as z from 'zod';
import { dateTimeSchema } from '../date-time.ts';

/** A user's registration, change or deletion, as the publisher needs it. */
export interface UserChange {
  readonly userSub: string;
  readonly registrationId: string;
  readonly changedAt: string;
  readonly isRemoved: boolean;
}

const text = z.object({ S: z.string().min(1) });

/** A record of the users table's stream, in DynamoDB's form. */
const imageSchema = z
  .object({
    user_sub: text,
    registration_id: text,
    changed_at: z.object({ S: dateTimeSchema }),
    is_removed: z.object({ BOOL: z.boolean() }).optional(),
  })
  .transform(
    (image): UserChange => ({
      userSub: image.user_sub.S,
      registrationId: image.registration_id.S,
      changedAt: image.changed_at.S,
      isRemoved: image.is_removed?.BOOL ?? false,
    }),
  );

const recordSchema = z.object({
  eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
  dynamodb: z.object({ NewImage: z.unknown().optional() }),
});

/**
 * The change in a stream record; `undefined` when a tombstone has expired, of which nobody is notified.
 *
 * @throws z.ZodError for a record that this service cannot have written.
 */
export const userChangeOf = (record: unknown): UserChange | undefined => {
  const { eventName, dynamodb } = recordSchema.parse(record);
  return eventName === 'REMOVE' ? undefined : imageSchema.parse(dynamodb.NewImage);
};
