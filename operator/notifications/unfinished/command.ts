import { Command } from 'commander';
import { sqsQueue } from '../../../shared/notifications/aws/queue.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { counted } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { stageQueue } from '../queue/sqs-queue.ts';
import { redriveUnfinished } from './redrive-unfinished.ts';

/** The time limit of one request to SQS. */
const requestTimeoutMilliseconds = 10_000;

const redrive = () =>
  new Command('redrive')
    .description('record the notifications, and continue the replays, that were given up')
    .action(async (_: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const sourceQueue = (name: string) =>
        sqsQueue(target.output(name), { settings: target.aws, maxAttempts: 3, requestTimeoutMilliseconds });
      const redriven = await redriveUnfinished({
        queue: stageQueue(target, 'UnfinishedQueueUrl'),
        sources: { record: sourceQueue('RecordQueueUrl'), replays: sourceQueue('ReplaysQueueUrl') },
        clock: systemClock,
      });
      output.rows(
        ['message_id', 'queue'],
        redriven.map(({ messageId, source }) => ({ message_id: messageId, queue: source })),
      );
      const left = redriven.filter(({ source }) => source === undefined).length;
      output.remark(`${redriven.length - left} of ${redriven.length} redriven.`);
      if (left > 0) {
        throw new OperatorError({
          message: `${counted(left, 'message has an unknown form, so it stays', 'messages have an unknown form, so they stay')} in the queue.`,
        });
      }
    });

export const unfinished = (): Command =>
  new Command('unfinished')
    .description('notifications that could not be recorded, and replays that could not be finished')
    .addCommand(redrive());
