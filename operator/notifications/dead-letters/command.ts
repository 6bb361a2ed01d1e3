import { Command } from 'commander';
import { failingNow, withoutCredentials } from '../../../shared/notifications/endpoints/endpoint.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import {
  endpointsOf,
  notificationRecordsOf,
  requireApplication,
  topicOf,
  undeliveredOf,
} from '../../platform/target/stores.ts';
import { positiveInteger, verboseOption } from '../../platform/terminal/arguments.ts';
import { requireConsent, yesOption } from '../../platform/terminal/confirm.ts';
import { withProgress } from '../../platform/terminal/progress.ts';
import { showPurged, showRedriven } from '../queue/show-outcome.ts';
import { listDeadLetters } from './list-dead-letters.ts';
import { purgeDeadLetters } from './purge-dead-letters.ts';
import { type RedriveOutcome, redriveDeadLetters } from './redrive-dead-letters.ts';
import { showDeadLetters } from './show-dead-letters.ts';
import { applicationsFinder, deadLetterQueue } from './stage-dead-letters.ts';

interface ListOptions {
  readonly application?: string;
  readonly limit: number;
}

const list = () =>
  new Command('list')
    .description('show the notifications that could not be delivered, each with its endpoint and the reason')
    .option('--application <id>', 'only dead letters of this application')
    .option('--limit <number>', 'show at most this many', positiveInteger, 100)
    .action(async ({ application: applicationId, limit }: ListOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const found = await listDeadLetters({
        queue: deadLetterQueue(target),
        findApplications: applicationsFinder(target),
        records: notificationRecordsOf(target),
        applicationId,
        limit,
      });
      showDeadLetters(output, found);
      if (found.length === 0) await requireApplication(target, applicationId);
      if (found.length === limit) output.remark(`There may be more than ${limit}: use --limit to show more.`);
    });

const redrive = () =>
  new Command('redrive')
    .description(
      'send dead letters again to the endpoints that did not accept them; each stays in the queue until it has been sent',
    )
    .argument('[message-id...]', 'only these messages; all if left out')
    .option('--application <id>', 'only dead letters of this application')
    .option(...verboseOption)
    .action(
      async (
        messageIds: string[],
        {
          application: applicationId,
          verbose,
        }: { readonly application?: string; readonly verbose?: boolean },
        command: Command,
      ) => {
        const { target, output, isJson } = await operatorOf(command);
        const outcomes: RedriveOutcome[] = [];
        const endpoints = endpointsOf(target);
        for (const failing of failingNow(await endpoints.list())) {
          const address = withoutCredentials(failing.destination);
          output.remark(
            `${address} of application ${failing.applicationId} did not accept its last notification.`,
          );
        }
        await withProgress((progress) =>
          redriveDeadLetters(
            {
              queue: deadLetterQueue(target),
              topic: topicOf(target),
              records: notificationRecordsOf(target),
              endpoints,
              undelivered: undeliveredOf(target),
              findApplications: applicationsFinder(target),
              clock: systemClock,
            },
            {
              messageIds: messageIds.length === 0 ? undefined : messageIds,
              applicationId,
              onOutcome: (outcome) => progress.show(`${outcomes.push(outcome)} looked at`),
            },
          ),
        );
        showRedriven(
          output,
          outcomes.map((outcome) => ({
            message_id: outcome.messageId,
            application: outcome.applicationId,
            redriven: outcome.isRedriven,
            reason: outcome.isRedriven ? undefined : outcome.reason,
          })),
          { columns: ['application'], isWhole: isJson || verbose === true, asked: messageIds },
        );
        if (outcomes.length === 0) await requireApplication(target, applicationId);
      },
    );

const purge = () =>
  new Command('purge')
    .description(
      'delete dead letters for good: endpoints are never notified of these changes of users and events, and outcomes of transactions',
    )
    .argument('[message-id...]', 'only these messages; all if left out')
    .option('--application <id>', 'only dead letters of this application')
    .option(...yesOption)
    .action(
      async (
        messageIds: string[],
        { application: applicationId, yes }: { readonly application?: string; readonly yes?: boolean },
        command: Command,
      ) => {
        const { target, output } = await operatorOf(command);
        const which = messageIds.length === 0 ? 'all dead letters' : messageIds.join(', ');
        const whose = applicationId === undefined ? '' : ` of application ${applicationId}`;
        await requireConsent({ question: `Delete ${which}${whose} for good?`, yes });
        const purged = await withProgress((progress) =>
          purgeDeadLetters({
            queue: deadLetterQueue(target),
            findApplications: applicationsFinder(target),
            records: notificationRecordsOf(target),
            clock: systemClock,
            messageIds: messageIds.length === 0 ? undefined : messageIds,
            applicationId,
            onPurged: (count) => progress.show(`${count} deleted`),
          }),
        );
        showPurged(output, purged, messageIds);
        if (purged.length === 0) await requireApplication(target, applicationId);
      },
    );

export const deadLetters = (): Command =>
  new Command('dead-letters')
    .description("notifications that customers' endpoints did not accept")
    .addCommand(list())
    .addCommand(redrive())
    .addCommand(purge());
