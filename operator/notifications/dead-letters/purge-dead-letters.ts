import type { Clock } from '../../../shared/platform/time/clock.ts';
import type { MessageQueue } from '../queue/message-queue.ts';
import { purgeMessages } from '../queue/purge.ts';
import { type DeadLetterDependencies, deadLetterOf } from './list-dead-letters.ts';

/** Deletes dead letters for good and returns their ids: with `applicationId`, those that the list shows for it. */
export const purgeDeadLetters = ({
  queue,
  clock,
  messageIds,
  applicationId,
  onPurged,
  ...dependencies
}: DeadLetterDependencies & {
  readonly queue: MessageQueue;
  readonly clock: Clock;
  /** @default all */
  readonly messageIds?: readonly string[] | undefined;
  /** @default all */
  readonly applicationId?: string | undefined;
  /** Called after each deletion with the number of dead letters deleted so far. */
  readonly onPurged?: (count: number) => void;
}): Promise<string[]> => {
  const read = deadLetterOf(dependencies);
  return purgeMessages({
    queue,
    clock,
    messageIds,
    ...(applicationId !== undefined && {
      isSelected: async (queued) => (await read(queued)).applicationId === applicationId,
    }),
    ...(onPurged && { onPurged }),
  });
};
