import type { Clock } from '../../platform/time/clock.ts';
import type { NotificationTopic, PublishOutcome } from '../ports/notification-topic.ts';

/**
 * A topic to which at most `messagesPerSecond` messages are published each second, so that there is room for other
 * publishers.
 */
export const pacedTopic = (
  topic: NotificationTopic,
  {
    messagesPerSecond,
    clock,
    wait,
  }: {
    readonly messagesPerSecond: number;
    readonly clock: Clock;
    readonly wait: (milliseconds: number) => Promise<void>;
  },
): NotificationTopic => {
  let freeAt = Number.NEGATIVE_INFINITY;
  return {
    publish: async (notifications) => {
      const outcomes: PublishOutcome[] = [];
      for (let from = 0; from < notifications.length; from += messagesPerSecond) {
        const next = notifications.slice(from, from + messagesPerSecond);
        if (freeAt > clock()) await wait(freeAt - clock());
        freeAt = clock() + (next.length / messagesPerSecond) * 1_000;
        outcomes.push(...(await topic.publish(next)));
      }
      return outcomes;
    },
  };
};
