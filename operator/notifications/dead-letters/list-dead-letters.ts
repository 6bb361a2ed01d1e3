import { byForm, type Message } from '../../../shared/notifications/messages/message.ts';
import type { NotificationRecords } from '../../../shared/notifications/ports/notification-records.ts';
import type { Delivery } from '../../../shared/notifications/record/record.ts';
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
  /** What the message is about: the application user sub, the contract and the token, or the event. */
  readonly subject: string | undefined;
  readonly dateTime: string | undefined;
  /** The delivery that failed. `undefined` as long as its outcome is not recorded, and after 30 days. */
  readonly delivery: Delivery | undefined;
}

export interface DeadLetterDependencies {
  readonly findApplications: FindApplications;
  readonly records: Pick<NotificationRecords, 'ofSubject'>;
}

/**
 * Finds the applications that a message is for: none when no application has the message's user or contract any longer.
 * Only a message about an event can be for several: the same message is sent to all that see the event.
 */
export type FindApplications = (message: Message) => Promise<readonly string[]>;

const subjectText = (message: Message): string =>
  byForm(message, {
    user: ({ applicationUserSub }) => applicationUserSub,
    chain: ({ contractAddress, tokenId, part }) =>
      [contractAddress, tokenId ?? part].filter((each) => each !== undefined).join(' '),
    event: ({ change, eventId }) => eventId ?? `${change} events`,
  });

/**
 * The failed delivery that made the message a dead letter. A raw message does not name its endpoint, so this is the
 * failure of the same message that is closest to the time at which the dead letter arrived in the queue.
 */
const failedDelivery = async (
  { records }: Pick<DeadLetterDependencies, 'records'>,
  about: {
    readonly applicationIds: readonly string[];
    readonly message: Message;
    readonly sentAt: number;
  },
): Promise<{ readonly applicationId: string; readonly delivery: Delivery } | undefined> => {
  const distance = ({ delivery }: { readonly delivery: Delivery }): number =>
    Math.abs(delivery.at - about.sentAt);
  const known = await inParallel(about.applicationIds, {
    atOnce: 10,
    run: (applicationId) => records.ofSubject({ applicationId, message: about.message }),
  });
  const [nearest] = known
    .flat()
    .filter(({ message }) => message.dateTime === about.message.dateTime)
    .flatMap(({ applicationId, deliveries }) =>
      deliveries.filter(({ isDelivered }) => !isDelivered).map((delivery) => ({ applicationId, delivery })),
    )
    .toSorted((one, other) => distance(one) - distance(other));
  return nearest;
};

export const deadLetterOf =
  (dependencies: DeadLetterDependencies) =>
  async ({ messageId, sentAt, body }: QueuedMessage): Promise<DeadLetter> => {
    const message = messageOf(body);
    const applicationIds = message === undefined ? [] : await dependencies.findApplications(message);
    const failed = message && (await failedDelivery(dependencies, { applicationIds, message, sentAt }));
    return {
      messageId,
      sentAt,
      applicationId: failed?.applicationId ?? applicationIds[0],
      subject: message && subjectText(message),
      dateTime: message?.dateTime,
      delivery: failed?.delivery,
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
