import type { Application } from '../../shared/applications/application.ts';
import { changeTime } from '../../shared/date-time.ts';
import type { NotificationTopic } from '../../shared/notifications/ports/notification-topic.ts';
import type { UserChange } from '../../shared/users/change-record.ts';
import { notificationsOf } from '../../shared/users/notifications-of.ts';
import type { ApplicationUserSubs } from '../../shared/users/ports/application-user-subs.ts';
import type { Users } from '../../shared/users/ports/users.ts';
import type { MessageQueue, QueuedMessage } from '../dead-letters/dead-letter.ts';
import { visitMessages } from '../dead-letters/visit.ts';
import { type FailedChange, failedChangeIn } from './failed-change.ts';

export interface RedrivenChange {
  readonly messageId: string;
  readonly failedChange: FailedChange | undefined;
  /** Users whose change was published again. */
  readonly users: number;
  /** Why it stays in the queue, if it does. */
  readonly failure: string | undefined;
}

export interface RedriveFailedChanges {
  readonly queue: MessageQueue;
  readonly topic: NotificationTopic;
  readonly users: Pick<Users, 'lastChange' | 'changedSince'>;
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration' | 'ensure' | 'endAll'>;
  readonly applications: readonly Application[];
  readonly onOutcome: (outcome: RedrivenChange) => void;
}

/** How far the clock that dated the changes may have run behind the one that dated the records. */
const clockDifferenceMilliseconds = 5 * 60_000;

/**
 * Tells every application again of the users whose changes were put aside, as they are now: a notification says
 * only that there is something to read. For a batch of which no record was kept, of all users who changed since.
 * A message leaves the queue only when all of that has succeeded.
 */
export const redriveFailedChanges = async (redrive: RedriveFailedChanges): Promise<void> => {
  const { queue, topic, users, subs, applications, onOutcome } = redrive;

  async function* changesOf(failed: FailedChange): AsyncIterable<UserChange> {
    if (failed.kind === 'batch') {
      const milliseconds = failed.since - clockDifferenceMilliseconds;
      yield* users.changedSince(changeTime({ milliseconds }));
      return;
    }
    const change = await users.lastChange(failed.userSub);
    if (change !== undefined) yield change;
  }

  const publish = async (change: UserChange): Promise<void> => {
    const outcomes = await topic.publish(await notificationsOf({ subs }, { change, applications }));
    for (const outcome of outcomes) if (!outcome.isPublished) throw new Error(outcome.reason);
  };

  const redriveOne = async (message: QueuedMessage): Promise<boolean> => {
    const { messageId } = message;
    const failedChange = failedChangeIn(message.body);
    if (failedChange === undefined) {
      onOutcome({ messageId, failedChange, users: 0, failure: 'it names no change' });
      return false;
    }
    let published = 0;
    try {
      for await (const change of changesOf(failedChange)) {
        await publish(change);
        published += 1;
      }
      await queue.remove(message);
      onOutcome({ messageId, failedChange, users: published, failure: undefined });
      return true;
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      onOutcome({ messageId, failedChange, users: published, failure });
      return false;
    }
  };

  await visitMessages(queue, async (messages) => {
    const removed: QueuedMessage[] = [];
    for (const message of messages) if (await redriveOne(message)) removed.push(message);
    return { removed, isEnough: false };
  });
};
