import type { Clock } from '../../shared/clock.ts';
import { inParallel } from '../../shared/in-parallel.ts';
import type {
  NotificationTopic,
  PublishOutcome,
} from '../../shared/notifications/ports/notification-topic.ts';
import { type MessageQueue, messageOf, type QueuedMessage } from './dead-letter.ts';
import type { FindApplication } from './list-dead-letters.ts';
import { visitMessages } from './visit.ts';

export type RedriveOutcome =
  | { readonly messageId: string; readonly applicationId: string; readonly isRedriven: true }
  | {
      readonly messageId: string;
      readonly applicationId: string | undefined;
      readonly isRedriven: false;
      readonly reason: string;
    };

export interface Redrive {
  readonly queue: MessageQueue;
  readonly topic: NotificationTopic;
  readonly findApplication: FindApplication;
  readonly clock: Clock;
  /** @default all */
  readonly messageIds?: readonly string[];
  /** @default all */
  readonly applicationId?: string;
  /** Told of each as it is done. */
  readonly onOutcome: (outcome: RedriveOutcome) => void;
}

/**
 * Publishes dead letters again, each to its application, and removes one only after that succeeded: killed at
 * any point, this loses none, and at worst has one delivered twice. What reaches the queue while it runs is
 * left for the next time, so that an endpoint which refuses at once keeps nobody busy.
 */
export const redriveDeadLetters = async (redrive: Redrive): Promise<void> => {
  const { queue, topic, findApplication, clock, messageIds, applicationId: only, onOutcome } = redrive;
  const startedAt = clock();
  const wanted = messageIds === undefined ? undefined : new Set(messageIds);

  const publish = async ({ body }: QueuedMessage): Promise<PublishOutcome & { applicationId?: string }> => {
    const message = messageOf(body);
    if (message === undefined) {
      return { isPublished: false, isUnavailable: false, reason: 'not a notification' };
    }
    const applicationId = await findApplication(message.applicationUserSub);
    if (applicationId === undefined) {
      return {
        isPublished: false,
        isUnavailable: false,
        reason: 'the identifier is no application’s any more',
      };
    }
    const [outcome] = await topic.publish([{ applicationId, message }]);
    if (outcome === undefined) throw new Error('the topic gave no answer');
    return { ...outcome, applicationId };
  };

  const isSelected = async ({ messageId, sentAt, body }: QueuedMessage): Promise<boolean> => {
    if (sentAt > startedAt || wanted?.has(messageId) === false) return false;
    if (only === undefined) return true;
    const message = messageOf(body);
    return message !== undefined && (await findApplication(message.applicationUserSub)) === only;
  };

  const redriveOne = async (message: QueuedMessage): Promise<QueuedMessage[]> => {
    const { messageId } = message;
    if (!(await isSelected(message))) return [];
    const outcome = await publish(message);
    const { applicationId } = outcome;
    if (!outcome.isPublished || applicationId === undefined) {
      const reason = outcome.isPublished ? 'unknown' : outcome.reason;
      onOutcome({ messageId, applicationId, isRedriven: false, reason });
      return [];
    }
    await queue.remove(message);
    onOutcome({ messageId, applicationId, isRedriven: true });
    return [message];
  };

  await visitMessages(queue, async (messages) => {
    const removed = await inParallel(messages, { atOnce: 10, run: redriveOne });
    for (const { messageId } of messages) wanted?.delete(messageId);
    return { removed: removed.flat(), isEnough: wanted?.size === 0 };
  });
};
