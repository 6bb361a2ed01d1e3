import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { failureOf } from '../../operator/platform/terminal/exit-code.ts';
import { checkoutAt } from './checkout.ts';
import { compareStage } from './compare.ts';
import { deployStage } from './deploy.ts';
import { destroyStage } from './destroy.ts';
import { fillSecrets } from './fill.ts';
import { rehearseRollback } from './rehearse.ts';
import { rollBack } from './rollback.ts';
import { deployedStack } from './stack.ts';
import { walkThrough } from './walk.ts';

const dependencies = {
  aws: {},
  checkout: checkoutAt(fileURLToPath(new URL('../..', import.meta.url))),
  stack: deployedStack({}),
  say: (remark: string) => process.stderr.write(`${remark}\n`),
};

const stage = ['<stage>', "the stage's name"] as const;
const yes = ['--yes', 'do not ask before permissions change', false] as const;

const program = new Command('release')
  .description(
    'Deploy a stage on AWS, as the workflows do. Uses the credentials and the Region that the AWS command line would use.',
  )
  .usage('[options] <command>')
  .showHelpAfterError('(--help lists the commands and options)');

program
  .command('compare')
  .description('run preflight, and show what a deployment would change')
  .argument(...stage)
  .option('--diff <file>', 'also write the differences to this file')
  .action((name: string, options: { readonly diff?: string }) =>
    compareStage(dependencies, { stage: name, file: options.diff }),
  );

program
  .command('deploy')
  .description(
    'run preflight, and deploy this checkout. From the second deployment on, CloudFormation rolls back when an alarm on 5xx or of the canary goes off',
  )
  .argument(...stage)
  .option('--without-triggers', 'deploy although such an alarm is red, and whatever alarms do', false)
  .option('--revert-drift', 'also change back what was changed or deleted by hand', false)
  .option(...yes)
  .action(
    (
      name: string,
      options: { readonly withoutTriggers: boolean; readonly revertDrift: boolean; readonly yes: boolean },
    ) =>
      deployStage(dependencies, {
        stage: name,
        isWatched: !options.withoutTriggers,
        revertsDrift: options.revertDrift,
        asks: !options.yes,
      }),
  );

program
  .command('rollback')
  .description('deploy the release before this checkout, without rollback triggers. Stored data stays')
  .argument(...stage)
  .option('--to <tag>', 'the release to deploy (default: the newest tag v… before this commit)')
  .option(...yes)
  .action((name: string, options: { readonly to?: string; readonly yes: boolean }) =>
    rollBack(dependencies, { stage: name, to: options.to, asks: !options.yes }),
  );

program
  .command('fill')
  .description(
    'store the secrets of a new stage that the environment holds, such as CHAIN_SECRET, after each was tried',
  )
  .argument(...stage)
  .action((name: string) => fillSecrets(dependencies, { stage: name, environment: process.env }));

program
  .command('walk')
  .description(
    'go through a new stage as a customer: mint into a new collection, hear the notification, and run smoke',
  )
  .argument(...stage)
  .requiredOption('--endpoint <url>', 'an endpoint of yours that confirms every subscription by itself')
  .requiredOption('--destination <address>', 'the address that gets the token')
  .action((name: string, options: { readonly endpoint: string; readonly destination: string }) =>
    walkThrough(dependencies, { stage: name, ...options }),
  );

program
  .command('rehearse')
  .description(
    'change a tag while the test alarm is red, and check that CloudFormation rolls back; callers notice nothing',
  )
  .argument(...stage)
  .action((name: string) => rehearseRollback(dependencies, { stage: name }));

program
  .command('destroy')
  .description('remove a stage that keeps nothing (retainData: false), and check that its stack is gone')
  .argument(...stage)
  .action((name: string) => destroyStage(dependencies, { stage: name }));

try {
  await program.parseAsync();
} catch (error) {
  const failure = failureOf(error);
  if (failure?.message === undefined) throw error;
  process.stderr.write(`${failure.message}\n`);
  process.exitCode = failure.exitCode;
}
