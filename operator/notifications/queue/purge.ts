import { inParallel } from '../../../shared/platform/in-parallel.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import type { MessageQueue, QueuedMessage } from './message-queue.ts';
import { visitMessages } from './visit.ts';

/**
 * Deletes messages permanently and returns their ids. Messages that were sent after the purge began are kept, because
 * the operator did not agree to delete them.
 */
export const purgeMessages = async ({
  queue,
  clock,
  messageIds,
  isSelected = async () => true,
  onPurged = () => {},
}: {
  readonly queue: MessageQueue;
  readonly clock: Clock;
  /** @default all messages */
  readonly messageIds?: readonly string[] | undefined;
  /** @default all messages */
  readonly isSelected?: ((message: QueuedMessage) => Promise<boolean>) | undefined;
  /** Called after each deletion with the number of messages deleted so far. */
  readonly onPurged?: (count: number) => void;
}): Promise<string[]> => {
  const purged: string[] = [];
  for await (const { messages, remove } of visitMessages(queue, { messageIds, sentUntil: clock() })) {
    await inParallel(messages, {
      atOnce: 10,
      run: async (message) => {
        if (!(await isSelected(message))) return;
        await remove(message);
        purged.push(message.messageId);
        onPurged(purged.length);
      },
    });
  }
  return purged;
};
