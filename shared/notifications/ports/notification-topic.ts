import type { Notification } from '../messages/message.ts';

export type PublishOutcome =
  | {
      readonly isPublished: true;
      readonly messageId: string;
    }
  | {
      readonly isPublished: false;
      readonly reason: string;
      /** True if the topic throttled the request or did not respond. False if it refused this particular message. */
      readonly isUnavailable: boolean;
    };

export interface NotificationTopic {
  /** Returns one outcome for each notification, in order. Does not throw if the topic refuses a notification. */
  publish(notifications: readonly Notification[]): Promise<readonly PublishOutcome[]>;
}
