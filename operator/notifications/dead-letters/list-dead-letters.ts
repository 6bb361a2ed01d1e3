import { isChainMessage, type Message } from '../../../shared/notifications/message.ts';
import type { NotificationRecords } from '../../../shared/notifications/ports/notification-records.ts';
import type { Delivery } from '../../../shared/notifications/record.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
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
  /** The delivery that failed. `undefined` as long as its outcome is not recorded, and after 30 days. */
  readonly delivery: Delivery | undefined;
}

export interface DeadLetterDependencies {
  readonly findApplication: FindApplication;
  readonly records: Pick<NotificationRecords, 'ofSubject'>;
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

/**
 * The failed delivery that made the message a dead letter. A raw message does not name its endpoint, so this is the
 * failure of the same message that is closest to the time at which the dead letter arrived in the queue.
 */
const failedDelivery = async (
  { records }: Pick<DeadLetterDependencies, 'records'>,
  about: { readonly applicationId: string; readonly message: Message; readonly sentAt: number },
): Promise<Delivery | undefined> => {
  const distance = ({ at }: Delivery): number => Math.abs(at - about.sentAt);
  const [nearest] = (await records.ofSubject(about))
    .filter(({ message }) => message.dateTime === about.message.dateTime)
    .flatMap(({ deliveries }) => deliveries.filter(({ isDelivered }) => !isDelivered))
    .toSorted((one, other) => distance(one) - distance(other));
  return nearest;
};

export const deadLetterOf =
  (dependencies: DeadLetterDependencies) =>
  async ({ messageId, sentAt, body }: QueuedMessage): Promise<DeadLetter> => {
    const message = messageOf(body);
    const applicationId = message && (await dependencies.findApplication(message));
    return {
      messageId,
      sentAt,
      applicationId,
      subject: message && subjectText(message),
      dateTime: message?.dateTime,
      delivery:
        applicationId === undefined || message === undefined
          ? undefined
          : await failedDelivery(dependencies, { applicationId, message, sentAt }),
    };
  };

/**
 * Up to `limit` dead letters, oldest first. They stay in the queue, but are invisible to other readers for a minute.
 */
export const listDeadLetters = async ({
  queue,
  applicationId: only,
  limit,
  ...dependencies
}: DeadLetterDependencies & {
  readonly queue: MessageQueue;
  /** @default all */
  readonly applicationId?: string | undefined;
  readonly limit: number;
}): Promise<DeadLetter[]> => {
  const found: DeadLetter[] = [];
  for await (const { messages } of visitMessages(queue)) {
    const letters = await inParallel(messages, { atOnce: 10, run: deadLetterOf(dependencies) });
    found.push(...letters.filter(({ applicationId }) => only === undefined || applicationId === only));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit).sort((a, b) => a.sentAt - b.sentAt);
};
