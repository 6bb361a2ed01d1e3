import type { Clock } from '../../shared/clock.ts';
import { inParallel } from '../../shared/in-parallel.ts';
import { type MessageQueue, messageOf, type QueuedMessage } from './dead-letter.ts';
import type { FindApplication } from './list-dead-letters.ts';
import { visitMessages } from './visit.ts';

/**
 * Deletes dead letters for good and answers which. What reaches the queue while it runs stays: nobody was asked
 * about that.
 */
export const purgeDeadLetters = async ({
  queue,
  findApplication,
  clock,
  messageIds,
  applicationId,
  onPurged = () => {},
}: {
  readonly queue: MessageQueue;
  readonly findApplication: FindApplication;
  readonly clock: Clock;
  /** @default all */
  readonly messageIds?: readonly string[] | undefined;
  /** @default all */
  readonly applicationId?: string | undefined;
  /** Told how many there were up to now. */
  readonly onPurged?: (count: number) => void;
}): Promise<string[]> => {
  const startedAt = clock();
  const wanted = messageIds === undefined ? undefined : new Set(messageIds);
  const purged: string[] = [];

  const isSelected = async ({ messageId, sentAt, body }: QueuedMessage): Promise<boolean> => {
    if (sentAt > startedAt || wanted?.has(messageId) === false) return false;
    if (applicationId === undefined) return true;
    const message = messageOf(body);
    return message !== undefined && (await findApplication(message)) === applicationId;
  };

  const purgeOne = async (message: QueuedMessage): Promise<QueuedMessage[]> => {
    if (!(await isSelected(message))) return [];
    await queue.remove(message);
    purged.push(message.messageId);
    onPurged(purged.length);
    return [message];
  };

  await visitMessages(queue, async (messages) => {
    const removed = await inParallel(messages, { atOnce: 10, run: purgeOne });
    return { removed: removed.flat(), isEnough: wanted !== undefined && purged.length === wanted.size };
  });
  return purged;
};
