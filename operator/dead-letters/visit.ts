import type { MessageQueue, QueuedMessage } from './dead-letter.ts';

/** Messages that were looked at come again when a long visit outlasts their absence; this often in a row is the end. */
const repeatsAtEnd = 100;

export interface VisitResult {
  /** Those that are no longer in the queue. */
  readonly removed: readonly QueuedMessage[];
  readonly isEnough: boolean;
}

/**
 * Shows every message of a queue once, in groups, until there are no more or it is enough. Those that were not
 * removed are there again for others when this ends, also by an error.
 */
export const visitMessages = async (
  queue: MessageQueue,
  visit: (messages: readonly QueuedMessage[]) => Promise<VisitResult>,
  /** What is still to be done at the end; answers what it removed. */
  finish: () => Promise<readonly QueuedMessage[]> = async () => [],
): Promise<void> => {
  const taken = new Map<string, QueuedMessage>();
  const gone = new Set<string>();
  let repeats = 0;
  try {
    while (repeats < repeatsAtEnd) {
      const messages = await queue.take();
      if (messages.length === 0) break;
      const unseen = messages.filter(({ messageId }) => !taken.has(messageId));
      for (const message of messages) taken.set(message.messageId, message);
      repeats = unseen.length === 0 ? repeats + 1 : 0;
      const { removed, isEnough } = await visit(unseen);
      for (const { messageId } of removed) gone.add(messageId);
      if (isEnough) break;
    }
    for (const { messageId } of await finish()) gone.add(messageId);
  } finally {
    await queue.putBack([...taken.values()].filter(({ messageId }) => !gone.has(messageId)));
  }
};
