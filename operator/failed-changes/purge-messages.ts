import type { MessageQueue, QueuedMessage } from '../dead-letters/dead-letter.ts';
import { visitMessages } from '../dead-letters/visit.ts';

/** Deletes these messages for good, also such as nobody can read, and answers which it found. */
export const purgeMessages = async (
  { queue }: { readonly queue: MessageQueue },
  { messageIds }: { readonly messageIds: readonly string[] },
): Promise<string[]> => {
  const wanted = new Set(messageIds);
  const purged: string[] = [];
  await visitMessages(queue, async (messages) => {
    const removed: QueuedMessage[] = [];
    for (const message of messages.filter(({ messageId }) => wanted.has(messageId))) {
      await queue.remove(message);
      removed.push(message);
      purged.push(message.messageId);
    }
    return { removed, isEnough: purged.length === wanted.size };
  });
  return purged;
};
