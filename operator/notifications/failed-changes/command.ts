import { Command } from 'commander';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { transactionsOf } from '../../nft/chain/stores.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import {
  applicationsOf,
  applicationUserSubsOf,
  endpointsOf,
  eventStoreOf,
  topicOf,
  usersOf,
} from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { positiveInteger, verboseOption } from '../../platform/terminal/arguments.ts';
import type { QueuedMessage } from '../queue/message-queue.ts';
import { purgeCommand } from '../queue/purge-command.ts';
import { oneLine, showRedriven } from '../queue/show-outcome.ts';
import { stageQueue } from '../queue/sqs-queue.ts';
import { visitMessages } from '../queue/visit.ts';
import { type FailedChange, failedChangeIn, toldTables } from './failed-change.ts';
import { type RedrivenChange, redriveFailedChanges } from './redrive-failed-changes.ts';

const failureQueue = (target: Target) => stageQueue(target, 'FailedChangesQueueUrl');

const subjectOf = (change: FailedChange | undefined): string | undefined => {
  if (change === undefined) return undefined;
  switch (change.kind) {
    case 'record':
      return change.userSub;
    case 'decision':
      return `nonce ${change.nonce} of ${change.signer}`;
    case 'event':
      return `event ${change.id}`;
    case 'events':
      return `events at ${change.dateTime}`;
    case 'batch':
      return `${change.size} ${change.size === 1 ? 'record' : 'records'} since ${new Date(change.since).toISOString()}`;
  }
};

const list = () =>
  new Command('list')
    .description('show the changes that could not be published')
    .option('--limit <number>', 'show at most this many', positiveInteger, 100)
    .action(async ({ limit }: { readonly limit: number }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const found: QueuedMessage[] = [];
      for await (const { messages } of visitMessages(failureQueue(target))) {
        found.push(...messages);
        if (found.length >= limit) break;
      }
      output.rows(
        ['message_id', 'change', 'failed_at', 'reason'],
        found.slice(0, limit).map(({ messageId, body, sentAt }) => {
          const change = failedChangeIn(body);
          return {
            message_id: messageId,
            change: subjectOf(change),
            failed_at: new Date(sentAt).toISOString(),
            reason: oneLine(change?.reason),
          };
        }),
      );
      if (found.length >= limit) output.remark(`There may be more than ${limit}: use --limit to show more.`);
    });

const redrive = () =>
  new Command('redrive')
    .description(
      'notify every application again of the affected users, transactions and events, as they are now',
    )
    .option(...verboseOption)
    .action(async ({ verbose }: { readonly verbose?: boolean }, command: Command) => {
      const { target, output, isJson } = await operatorOf(command);
      const outcomes: RedrivenChange[] = [];
      await redriveFailedChanges({
        queue: failureQueue(target),
        topic: topicOf(target),
        users: usersOf(target),
        subs: applicationUserSubsOf(target),
        applications: await applicationsOf(target).list(),
        endpoints: endpointsOf(target),
        ...transactionsOf(target),
        catalogue: dynamoDbCatalogue(eventStoreOf(target)),
        tableNames: {
          users: target.output(toldTables.users),
          transactions: target.output(toldTables.transactions),
          events: target.output(toldTables.events),
        },
        onOutcome: (outcome) => outcomes.push(outcome),
      });
      showRedriven(
        output,
        outcomes.map(({ messageId, failedChange, toldOf, failure }) => ({
          message_id: messageId,
          change: subjectOf(failedChange),
          told_of: toldOf,
          redriven: failure === undefined,
          reason: oneLine(failure),
        })),
        { columns: ['change', 'told_of'], isWhole: isJson || verbose === true },
      );
    });

const purge = () =>
  purgeCommand({
    description:
      'delete messages for good: customers are never notified of these changes of users and events, and outcomes of transactions',
    listedBy: 'failed-changes list',
    queueOf: failureQueue,
  });

export const failedChanges = (): Command =>
  new Command('failed-changes')
    .description('changes of users and events, and outcomes of transactions, that could not be published')
    .addCommand(list())
    .addCommand(redrive())
    .addCommand(purge());
