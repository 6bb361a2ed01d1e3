import { Command } from 'commander';
import { type FailedChange, failedChangeIn } from '../notifications/failed-changes/failed-change.ts';
import { purgeCommand } from '../notifications/queue/purge-command.ts';
import { oneLine, showRedriven } from '../notifications/queue/show-outcome.ts';
import { stageQueue } from '../notifications/queue/sqs-queue.ts';
import { visitMessages } from '../notifications/queue/visit.ts';
import { operatorOf } from '../platform/target/operator.ts';
import type { Target } from '../platform/target/target.ts';
import { verboseOption } from '../platform/terminal/arguments.ts';
import type { Row } from '../platform/terminal/output.ts';
import { redriveErasures } from './redrive-erasures.ts';
import { forgettingOf } from './stage-forgetting.ts';

const failureQueue = (target: Target) => stageQueue(target, 'FailedErasuresQueueUrl');

const userOf = (failed: FailedChange | undefined): string | undefined => {
  if (failed?.kind === 'record') return failed.userSub;
  return failed?.kind === 'batch' ? `all since ${new Date(failed.since).toISOString()}` : undefined;
};

const list = () =>
  new Command('list')
    .description('show the users who were removed, but of whom not everything could be forgotten')
    .action(async (_: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const rows: Row[] = [];
      for await (const { messages } of visitMessages(failureQueue(target))) {
        for (const { messageId, body, sentAt } of messages) {
          const failed = failedChangeIn(body);
          rows.push({
            message_id: messageId,
            user: userOf(failed),
            failed_at: new Date(sentAt).toISOString(),
            reason: oneLine(failed?.reason),
          });
        }
      }
      output.rows(['message_id', 'user', 'failed_at', 'reason'], rows);
    });

const redrive = () =>
  new Command('redrive')
    .description('forget these users now')
    .option(...verboseOption)
    .action(async ({ verbose }: { readonly verbose?: boolean }, command: Command) => {
      const { target, output, isJson } = await operatorOf(command);
      const outcomes = await redriveErasures({ ...forgettingOf(target), queue: failureQueue(target) });
      showRedriven(
        output,
        outcomes.map(({ messageId, failedChange, failure }) => ({
          message_id: messageId,
          user: userOf(failedChange),
          redriven: failure === undefined,
          reason: oneLine(failure),
        })),
        { columns: ['user'], isWhole: isJson || verbose === true },
      );
    });

const purge = () =>
  purgeCommand({
    description: 'delete messages for good: the tables may then tell for ever whose the wallets were',
    listedBy: 'failed-erasures list',
    queueOf: failureQueue,
  });

export const failedErasures = (): Command =>
  new Command('failed-erasures')
    .description('users who were removed, but of whom not everything could be forgotten')
    .addCommand(list())
    .addCommand(redrive())
    .addCommand(purge());
