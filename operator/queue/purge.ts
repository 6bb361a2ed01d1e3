import type { Clock } from '../../shared/clock.ts';
import { inParallel } from '../../shared/in-parallel.ts';
import type { MessageQueue, QueuedMessage } from './message-queue.ts';
import { visitMessages } from './visit.ts';

/**
 * Deletes messages for good and returns their ids. Messages that arrive during the run stay: nobody agreed to delete
 * them.
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
  /** @default all */
  readonly messageIds?: readonly string[] | undefined;
  /** @default all */
  readonly isSelected?: ((message: QueuedMessage) => Promise<boolean>) | undefined;
  /** Called with the number so far. */
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
