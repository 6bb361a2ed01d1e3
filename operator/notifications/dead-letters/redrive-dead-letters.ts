import { type Message, subjectOf } from '../../../shared/notifications/messages/message.ts';
import { type RepublishDependencies, republish } from '../../../shared/notifications/replay/republish.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import type { MessageQueue, QueuedMessage } from '../queue/message-queue.ts';
import { visitMessages } from '../queue/visit.ts';
import { messageOf } from './dead-letter.ts';
import type { FindApplications } from './list-dead-letters.ts';

/** The result for one dead letter. */
export type RedriveOutcome =
  | {
      readonly messageId: string;
      /** `undefined` for a test notification, which is not published again. */
      readonly applicationId: string | undefined;
      readonly isRedriven: true;
    }
  | {
      readonly messageId: string;
      readonly applicationId: string | undefined;
      readonly isRedriven: false;
      readonly reason: string;
    };

export interface RedriveDependencies extends Omit<RepublishDependencies, 'clock'> {
  readonly queue: MessageQueue;
  readonly findApplications: FindApplications;
  readonly clock: Clock;
}

export interface RedriveInput {
  /** @default all */
  readonly messageIds?: readonly string[];
  /** @default all */
  readonly applicationId?: string;
  /** Called for each dead letter, after it was redriven or refused. */
  readonly onOutcome: (outcome: RedriveOutcome) => void;
}

/**
 * A pass collects up to this many letters, for at most this long, before it publishes them. A letter becomes visible to
 * other readers again 60 s after the pass received it.
 */
const passMessages = 10_000;
const passMilliseconds = 20_000;
const atOnce = 10;

/** A dead letter that can be published again. */
interface Letter {
  readonly queued: QueuedMessage;
  readonly message: Message;
  readonly applicationIds: readonly string[];
}

const newestOf = (letters: readonly Letter[]): Letter | undefined =>
  letters.toSorted((a, b) => (a.message.dateTime < b.message.dateTime ? 1 : -1))[0];

/**
 * Publishes dead letters again. For each subject, publishes only the newest message. Endpoints that have accepted a
 * message about the subject since their last failure are left out. The subject's letters are deleted from the queue
 * only after the message has been published. Killing the command at any point therefore loses no letter; at worst, a
 * message is delivered twice.
 *
 * Letters that arrive during a run are left for the next run. Otherwise, an endpoint that refuses every message
 * immediately would keep the run going for ever.
 */
export const redriveDeadLetters = async (
  dependencies: RedriveDependencies,
  { messageIds, applicationId: only, onOutcome }: RedriveInput,
): Promise<void> => {
  const { queue, findApplications, clock } = dependencies;
  const visit = { messageIds, sentUntil: clock(), passMessages, passMilliseconds, clock };

  for await (const { messages, remove } of visitMessages(queue, visit)) {
    const redriven = ({ messageId }: QueuedMessage, applicationId: string | undefined) =>
      onOutcome({ messageId, applicationId, isRedriven: true });
    const refuse = ({ messageId }: QueuedMessage, applicationId: string | undefined, reason: string) =>
      onOutcome({ messageId, applicationId, isRedriven: false, reason });

    const open = async (queued: QueuedMessage): Promise<Letter | undefined> => {
      const message = messageOf(queued.body);
      if (message?.operationType === 'test') {
        await remove(queued);
        redriven(queued, undefined);
        return undefined;
      }
      const applicationIds = message === undefined ? [] : await findApplications(message);
      if (only !== undefined && !applicationIds.includes(only)) return undefined;
      if (message === undefined) refuse(queued, undefined, 'not a notification');
      else if (applicationIds.length === 0) {
        refuse(queued, undefined, 'its user, contract or event no longer belongs to an application');
      } else return { queued, message, applicationIds };
      return undefined;
    };

    const redriveSubject = async (letters: readonly Letter[]): Promise<void> => {
      const newest = newestOf(letters);
      if (newest === undefined) return;
      const { applicationIds, message } = newest;
      const applicationId = applicationIds.join(', ');
      try {
        const failedDateTimes = letters.map((letter) => letter.message.dateTime);
        for (const each of applicationIds) {
          await republish(dependencies, {
            applicationId: each,
            message,
            by: 'redrive',
            isFailingOnly: true,
            failedDateTimes,
          });
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        for (const { queued } of letters) refuse(queued, applicationId, reason);
        return;
      }
      for (const { queued } of letters) {
        await remove(queued);
        redriven(queued, applicationId);
      }
    };

    const letters = await inParallel(messages, { atOnce, run: open });
    const subjects = Map.groupBy(
      letters.filter((letter) => letter !== undefined),
      ({ applicationIds, message }) => `${applicationIds.join(',')}#${subjectOf(message)}`,
    );
    await inParallel([...subjects.values()], { atOnce, run: redriveSubject });
  }
};
