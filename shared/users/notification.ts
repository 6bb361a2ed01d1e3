import * as z from 'zod';
import { dateTimeSchema } from './date-time.ts';

/** The body that a customer's endpoint is sent (2.4): these three fields and no other. */
export const notificationMessageSchema = z.strictObject({
  operation_type: z.literal('data_update'),
  application_user_sub: z.string().min(1),
  date_time: dateTimeSchema,
});

export type NotificationMessage = z.output<typeof notificationMessageSchema>;

/** A message and the application that it is for, which subscriptions filter by. */
export interface Notification {
  readonly applicationId: string;
  readonly message: NotificationMessage;
}

export const dataUpdate = ({
  applicationUserSub,
  changedAt,
}: {
  readonly applicationUserSub: string;
  readonly changedAt: string;
}): NotificationMessage => ({
  operation_type: 'data_update',
  application_user_sub: applicationUserSub,
  date_time: changedAt,
});

export type PublishOutcome =
  | { readonly isPublished: true }
  | {
      readonly isPublished: false;
      readonly reason: string;
      /** The topic did not answer or asked for patience, as against refusing this very message. */
      readonly isUnavailable: boolean;
    };

/** Where notifications go out to all customers. */
export interface NotificationTopic {
  /** One outcome for each notification, in order; it does not throw for what the topic refuses. */
  publish(notifications: readonly Notification[]): Promise<readonly PublishOutcome[]>;
}
