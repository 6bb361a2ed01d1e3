import type { Notification } from '../message.ts';

export type PublishOutcome =
  | {
      readonly isPublished: true;
      /** The topic's message id. */
      readonly messageId: string;
    }
  | {
      readonly isPublished: false;
      readonly reason: string;
      /** The topic did not answer or throttled; it did not refuse this particular message. */
      readonly isUnavailable: boolean;
    };

/** The topic from which all customers get notifications. */
export interface NotificationTopic {
  /** One outcome for each notification, in order; it does not throw when the topic refuses one. */
  publish(notifications: readonly Notification[]): Promise<readonly PublishOutcome[]>;
}
