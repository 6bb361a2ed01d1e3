import { messageOf } from '../../notifications/dead-letters/dead-letter.ts';
import type { FindApplications } from '../../notifications/dead-letters/list-dead-letters.ts';
import type { MessageQueue } from '../../notifications/queue/message-queue.ts';
import { visitMessages } from '../../notifications/queue/visit.ts';
import { type SubjectDependencies, sentMoments, subjectText } from './notification-moments.ts';
import { inTime, moment, type Timeline } from './timeline.ts';

export interface DeadLetterTimelineDependencies extends SubjectDependencies {
  readonly deadLetters: MessageQueue;
  readonly applicationsOf: FindApplications;
}

/**
 * SQS cannot find a message by its id, so up to this many messages are received and compared. Afterwards all of them
 * become visible to other readers again.
 */
const lookedAtMost = 1_000;

/** Finds a dead letter by its message id in the dead-letter queue, which `dead-letters list` shows. */
export const findDeadLetter = async (
  dependencies: DeadLetterTimelineDependencies,
  messageId: string,
): Promise<Timeline | undefined> => {
  const { deadLetters, applicationsOf } = dependencies;
  const visit = { messageIds: [messageId], atMost: lookedAtMost };
  for await (const { messages } of visitMessages(deadLetters, visit)) {
    for (const { body, sentAt } of messages) {
      const message = messageOf(body);
      const applicationIds = message === undefined ? [] : await applicationsOf(message);
      const about = message && subjectText(message);
      const told = [];
      for (const applicationId of applicationIds) {
        if (message !== undefined)
          told.push(...(await sentMoments(dependencies, { applicationId, message })));
      }
      return {
        kind: 'dead letter',
        id: messageId,
        fields: {
          application: applicationIds.length === 0 ? undefined : applicationIds.join(', '),
          operation: message?.operationType,
          about,
          date_time: message?.dateTime,
        },
        moments: inTime([...told, moment(sentAt, 'this message arrived in the dead-letter queue')]),
        related: [about ?? '', ...applicationIds].filter((each) => each !== ''),
        commands: [`dead-letters redrive ${messageId}`, `dead-letters purge ${messageId}`],
      };
    }
  }
  return undefined;
};
