import { inParallel } from '../../shared/in-parallel.ts';
import { isChainMessage, type Message } from '../../shared/notifications/message.ts';
import type { MessageQueue, QueuedMessage } from '../queue/message-queue.ts';
import { visitMessages } from '../queue/visit.ts';
import { messageOf } from './dead-letter.ts';

/** A message that could not be delivered, and the application that it is for. */
export interface DeadLetter {
  readonly messageId: string;
  readonly sentAt: number;
  /**
   * `undefined` when no application has the message's user or contract any longer, or the message is not a
   * notification.
   */
  readonly applicationId: string | undefined;
  /** What the message is about: the application user sub, or the contract and the token. */
  readonly subject: string | undefined;
  readonly dateTime: string | undefined;
}

/**
 * Finds the application that a message is for; `undefined` when no application has the message's user or contract any
 * longer.
 */
export type FindApplication = (message: Message) => Promise<string | undefined>;

const subjectText = (message: Message): string =>
  isChainMessage(message)
    ? [message.contractAddress, message.tokenId ?? message.part]
        .filter((part) => part !== undefined)
        .join(' ')
    : message.applicationUserSub;

export const deadLetterOf =
  (findApplication: FindApplication) =>
  async ({ messageId, sentAt, body }: QueuedMessage): Promise<DeadLetter> => {
    const message = messageOf(body);
    return {
      messageId,
      sentAt,
      applicationId: message && (await findApplication(message)),
      subject: message && subjectText(message),
      dateTime: message?.dateTime,
    };
  };

/**
 * Up to `limit` dead letters, oldest first. They stay in the queue, but are invisible to other readers for a minute.
 */
export const listDeadLetters = async ({
  queue,
  findApplication,
  applicationId: only,
  limit,
}: {
  readonly queue: MessageQueue;
  readonly findApplication: FindApplication;
  /** @default all */
  readonly applicationId?: string | undefined;
  readonly limit: number;
}): Promise<DeadLetter[]> => {
  const found: DeadLetter[] = [];
  for await (const { messages } of visitMessages(queue)) {
    const letters = await inParallel(messages, { atOnce: 10, run: deadLetterOf(findApplication) });
    found.push(...letters.filter(({ applicationId }) => only === undefined || applicationId === only));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit).sort((a, b) => a.sentAt - b.sentAt);
};
