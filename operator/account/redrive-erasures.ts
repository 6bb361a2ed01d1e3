import { type ForgetEndedDependencies, forgetEnded, forgetUser } from '../../shared/account/forget-user.ts';
import { changeTime } from '../../shared/platform/time/date-time.ts';
import { type FailedChange, failedChangeIn } from '../notifications/failed-changes/failed-change.ts';
import type { MessageQueue } from '../notifications/queue/message-queue.ts';
import { visitMessages } from '../notifications/queue/visit.ts';

export interface RedrivenErasure {
  readonly messageId: string;
  readonly failedChange: FailedChange | undefined;
  /** Why the message stays in the queue; `undefined` if it does not. */
  readonly failure: string | undefined;
}

export type RedriveErasuresDependencies = ForgetEndedDependencies & { readonly queue: MessageQueue };

/** Lambda's times and the service's differ by less than this. */
const clockDifferenceMilliseconds = 5 * 60_000;

/**
 * Forgets once more the users whose removals the service could not finish. If Lambda gave up a batch, the message does
 * not contain its records. So all users are forgotten who were removed since the first record.
 */
export const redriveErasures = async ({
  queue,
  ...dependencies
}: RedriveErasuresDependencies): Promise<readonly RedrivenErasure[]> => {
  const forget = async (failed: FailedChange | undefined): Promise<void> => {
    if (failed?.kind === 'record' && failed.removal !== undefined) {
      const { registrationId } = failed.removal;
      await forgetUser(dependencies, { userSub: failed.userSub, registrationId });
      return;
    }
    if (failed?.kind !== 'batch') throw new Error('the message does not name a removal');
    const since = changeTime({ milliseconds: failed.since - clockDifferenceMilliseconds });
    await forgetEnded(dependencies, { since });
  };
  const outcomes: RedrivenErasure[] = [];
  for await (const { messages, remove } of visitMessages(queue)) {
    for (const message of messages) {
      const { messageId } = message;
      const failedChange = failedChangeIn(message.body);
      try {
        await forget(failedChange);
        await remove(message);
        outcomes.push({ messageId, failedChange, failure: undefined });
      } catch (error) {
        outcomes.push({ messageId, failedChange, failure: String(error) });
      }
    }
  }
  return outcomes;
};
