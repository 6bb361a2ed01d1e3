import { Command } from 'commander';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import type { Target } from '../../platform/target/target.ts';
import { requireConsent, yesOption } from '../../platform/terminal/confirm.ts';
import type { MessageQueue } from './message-queue.ts';
import { purgeMessages } from './purge.ts';
import { showPurged } from './show-outcome.ts';

/** The command that deletes messages of a queue by their ids, which the command `listedBy` prints. */
export const purgeCommand = ({
  description,
  listedBy,
  queueOf,
}: {
  readonly description: string;
  readonly listedBy: string;
  readonly queueOf: (target: Target) => MessageQueue;
}): Command =>
  new Command('purge')
    .description(description)
    .argument('<message-id...>', `their ids, as \`${listedBy}\` prints them`)
    .option(...yesOption)
    .action(async (messageIds: string[], { yes }: { readonly yes?: boolean }, command: Command) => {
      const { target, output } = await operatorOf(command);
      await requireConsent({ question: `Delete ${messageIds.join(', ')} for good?`, yes });
      const purged = await purgeMessages({ queue: queueOf(target), clock: systemClock, messageIds });
      showPurged(output, purged, messageIds);
    });
