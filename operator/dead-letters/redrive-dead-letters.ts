import type { Clock } from '../../shared/clock.ts';
import { inParallel } from '../../shared/in-parallel.ts';
import { type Message, subjectOf } from '../../shared/notifications/message.ts';
import { type RepublishDependencies, republish } from '../../shared/notifications/republish.ts';
import { type MessageQueue, messageOf, type QueuedMessage } from './dead-letter.ts';
import type { FindApplication } from './list-dead-letters.ts';
import { visitMessages } from './visit.ts';

/** Of one dead letter. */
export type RedriveOutcome =
  | {
      readonly messageId: string;
      /** Unknown of a test, which is not published again. */
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
  readonly findApplication: FindApplication;
  readonly clock: Clock;
}

export interface RedriveInput {
  /** @default all */
  readonly messageIds?: readonly string[];
  /** @default all */
  readonly applicationId?: string;
  /** Told of each as it is done. */
  readonly onOutcome: (outcome: RedriveOutcome) => void;
}

/** A pass publishes what it has taken when it is so much, or has held it for so long: they come back after 60 s. */
const lettersOfAPass = 10_000;
const passMilliseconds = 20_000;
const groupsAtOnce = 10;

/** Dead letters of one subject at one application. */
interface Group {
  readonly applicationId: string;
  readonly letters: { readonly queued: QueuedMessage; readonly message: Message }[];
}

const newestOf = ({ letters }: Group): Message =>
  letters
    .map(({ message }) => message)
    .reduce((newest, message) => (message.dateTime > newest.dateTime ? message : newest));

/**
 * Publishes what dead letters tell again: of each subject the newest, once, to the endpoints that have not taken it
 * since. The letters of a subject leave the queue only after that succeeded: killed at any point, this loses none, and
 * at worst has one delivered twice. What reaches the queue while it runs is left for the next time, so that an endpoint
 * which refuses at once keeps nobody busy.
 */
export const redriveDeadLetters = async (
  dependencies: RedriveDependencies,
  { messageIds, applicationId: only, onOutcome }: RedriveInput,
): Promise<void> => {
  const { queue, findApplication, clock } = dependencies;
  const startedAt = clock();
  const wanted = messageIds === undefined ? undefined : new Set(messageIds);
  let groups = new Map<string, Group>();
  let passLetters = 0;
  let passStartedAt = startedAt;

  const refuse = (messageId: string, applicationId: string | undefined, reason: string): void =>
    onOutcome({ messageId, applicationId, isRedriven: false, reason });

  /** Answers the letter when it is done with. */
  const sort = async (queued: QueuedMessage): Promise<QueuedMessage[]> => {
    const { messageId, sentAt, body } = queued;
    if (sentAt > startedAt || wanted?.has(messageId) === false) return [];
    const message = messageOf(body);
    if (message?.operationType === 'test') {
      await queue.remove(queued);
      onOutcome({ messageId, applicationId: undefined, isRedriven: true });
      return [queued];
    }
    const applicationId = message && (await findApplication(message));
    if (only !== undefined && applicationId !== only) return [];
    if (message === undefined) {
      refuse(messageId, undefined, 'not a notification');
    } else if (applicationId === undefined) {
      refuse(messageId, undefined, 'what it is about is no application’s any more');
    } else {
      const key = `${applicationId}#${subjectOf(message)}`;
      const group = groups.get(key) ?? { applicationId, letters: [] };
      group.letters.push({ queued, message });
      groups.set(key, group);
      passLetters += 1;
    }
    return [];
  };

  const redriveGroup = async (group: Group): Promise<QueuedMessage[]> => {
    const { applicationId, letters } = group;
    try {
      const failedDateTimes = letters.map(({ message }) => message.dateTime);
      const message = newestOf(group);
      await republish(dependencies, { applicationId, message, isFailingOnly: true, failedDateTimes });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      for (const { queued } of letters) refuse(queued.messageId, applicationId, reason);
      return [];
    }
    for (const { queued } of letters) {
      await queue.remove(queued);
      onOutcome({ messageId: queued.messageId, applicationId, isRedriven: true });
    }
    return letters.map(({ queued }) => queued);
  };

  const endPass = async (): Promise<QueuedMessage[]> => {
    const all = [...groups.values()];
    groups = new Map();
    passLetters = 0;
    passStartedAt = clock();
    return (await inParallel(all, { atOnce: groupsAtOnce, run: redriveGroup })).flat();
  };

  await visitMessages(
    queue,
    async (messages) => {
      if (passLetters === 0) passStartedAt = clock();
      const removed = (await inParallel(messages, { atOnce: groupsAtOnce, run: sort })).flat();
      for (const { messageId } of messages) wanted?.delete(messageId);
      const isPassOver = passLetters >= lettersOfAPass || clock() - passStartedAt >= passMilliseconds;
      if (isPassOver) removed.push(...(await endPass()));
      return { removed, isEnough: wanted?.size === 0 };
    },
    endPass,
  );
};
