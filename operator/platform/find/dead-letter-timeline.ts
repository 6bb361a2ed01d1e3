import { messageOf } from '../../notifications/dead-letters/dead-letter.ts';
import type { FindApplication } from '../../notifications/dead-letters/list-dead-letters.ts';
import type { MessageQueue } from '../../notifications/queue/message-queue.ts';
import { visitMessages } from '../../notifications/queue/visit.ts';
import { type SubjectDependencies, sentMoments, subjectText } from './notification-moments.ts';
import { inTime, moment, type Timeline } from './timeline.ts';

export interface DeadLetterTimelineDependencies extends SubjectDependencies {
  readonly deadLetters: MessageQueue;
  readonly applicationOf: FindApplication;
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
  const { deadLetters, applicationOf } = dependencies;
  const visit = { messageIds: [messageId], atMost: lookedAtMost };
  for await (const { messages } of visitMessages(deadLetters, visit)) {
    for (const { body, sentAt } of messages) {
      const message = messageOf(body);
      const applicationId = message && (await applicationOf(message));
      const about = message && subjectText(message);
      const told =
        message === undefined || applicationId === undefined
          ? []
          : await sentMoments(dependencies, { applicationId, message });
      return {
        kind: 'dead letter',
        id: messageId,
        fields: {
          application: applicationId,
          operation: message?.operationType,
          about,
          date_time: message?.dateTime,
        },
        moments: inTime([...told, moment(sentAt, 'this message arrived in the dead-letter queue')]),
        related: [about, applicationId].filter((each) => each !== undefined),
        commands: [`dead-letters redrive ${messageId}`, `dead-letters purge ${messageId}`],
      };
    }
  }
  return undefined;
};
