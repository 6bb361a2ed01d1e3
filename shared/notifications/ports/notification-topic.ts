import type { Notification } from '../message.ts';

export type PublishOutcome =
  | {
      readonly isPublished: true;
      /** The topic's id of it. */
      readonly messageId: string;
    }
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
