import { systemClock } from '../../../shared/platform/time/clock.ts';
import type { MessageQueue, QueuedMessage } from './message-queue.ts';

/**
 * If visiting all messages takes longer than the visibility timeout, messages that were already visited are received
 * again. The visit ends after this many calls in a row that return no new message.
 */
const repeatsAtEnd = 100;

export interface VisitOptions {
  /** @default all messages */
  readonly messageIds?: readonly string[] | undefined;
  /** Only messages sent at or before this time are visited, epoch milliseconds. @default no limit */
  readonly sentUntil?: number | undefined;
  /** A pass ends when it has this many messages. @default 1 */
  readonly passMessages?: number;
  /**
   * A pass also ends after this time. It should be well below a minute, because received messages become visible again
   * after a minute. @default no limit
   */
  readonly passMilliseconds?: number;
  /** The visit ends when the queue has returned this many different messages. @default no limit */
  readonly atMost?: number;
  readonly clock?: () => number;
}

export interface QueuePass {
  readonly messages: readonly QueuedMessage[];
  /** Removes a message from the queue permanently. */
  remove(message: QueuedMessage): Promise<void>;
}

/**
 * Visits each message of a queue once, in groups called passes, until there are no more. When the loop over the passes
 * ends, even by `break` or an error, all messages that were not removed become visible to other readers again.
 */
export async function* visitMessages(
  queue: MessageQueue,
  {
    messageIds,
    sentUntil = Number.POSITIVE_INFINITY,
    passMessages = 1,
    passMilliseconds = Number.POSITIVE_INFINITY,
    atMost = Number.POSITIVE_INFINITY,
    clock = systemClock,
  }: VisitOptions = {},
): AsyncGenerator<QueuePass, void> {
  const wanted = messageIds && new Set(messageIds);
  const taken = new Map<string, QueuedMessage>();
  const removed = new Set<string>();
  const remove = async (message: QueuedMessage): Promise<void> => {
    await queue.remove(message);
    removed.add(message.messageId);
  };
  let repeats = 0;
  let isOver = false;

  const takePass = async (): Promise<QueuedMessage[]> => {
    const pass: QueuedMessage[] = [];
    const startedAt = clock();
    while (!isOver && pass.length < passMessages && clock() - startedAt < passMilliseconds) {
      const messages = await queue.take();
      const unseen = messages.filter(({ messageId }) => !taken.has(messageId));
      for (const message of messages) taken.set(message.messageId, message);
      for (const message of unseen) {
        const isWanted = wanted?.delete(message.messageId) ?? true;
        if (isWanted && message.sentAt <= sentUntil) pass.push(message);
      }
      repeats = unseen.length === 0 ? repeats + 1 : 0;
      isOver = messages.length === 0 || repeats >= repeatsAtEnd || taken.size >= atMost || wanted?.size === 0;
    }
    return pass;
  };

  try {
    while (!isOver) {
      const messages = await takePass();
      if (messages.length > 0) yield { messages, remove };
    }
  } finally {
    await queue.putBack([...taken.values()].filter(({ messageId }) => !removed.has(messageId)));
  }
}
