import { OperatorError } from '../../operator/platform/terminal/operator-error.ts';
import type { Checkout } from './checkout.ts';
import type { DeployedStack } from './stack.ts';

export interface DeployStageDependencies {
  readonly checkout: Pick<Checkout, 'run' | 'operator'>;
  readonly stack: DeployedStack;
  /** Called with each remark that the operator should read. */
  readonly say: (remark: string) => void;
}

export interface DeployStageOrder {
  readonly stage: string;
  /** Whether CloudFormation rolls back when an alarm goes off. */
  readonly isWatched: boolean;
  /** Whether CloudFormation also reverts changes that were made by hand. */
  readonly revertsDrift: boolean;
  /** Whether the CDK may ask before it changes permissions. In a pipeline nobody can answer. */
  readonly asks: boolean;
}

/**
 * How long CloudFormation watches the alarms after it has changed everything. In this time, the canary has called each
 * API twice from outside, and its alarm and those on 5xx have gone off if anything is wrong.
 */
const watchedMinutes = 15;

/** The CDK's option value for no alarms. Without it, CloudFormation would keep the alarms of the last deployment. */
const noTriggers = 'none';

const triggersFor = async (
  { stack, say }: Pick<DeployStageDependencies, 'stack' | 'say'>,
  { stage, isWatched }: Pick<DeployStageOrder, 'stage' | 'isWatched'>,
): Promise<readonly string[]> => {
  if (!isWatched) {
    say('Without rollback triggers: no alarm ends this deployment.');
    return [];
  }
  const alarms = await stack.rollbackTriggers(stage);
  if (alarms.length === 0) {
    say(
      'Without rollback triggers: the deployed stack has no alarms for them, as before the first deployment.',
    );
    return [];
  }
  const red = await stack.red(alarms);
  if (red.length > 0) {
    throw new OperatorError({
      message: `${red.join(' and ')} ${red.length === 1 ? 'is' : 'are'} red, so CloudFormation would roll back at once. If this deployment is to mend that, add --without-triggers.`,
    });
  }
  say(
    `CloudFormation rolls back if one of ${alarms.length} alarms goes off, until ${watchedMinutes} minutes after.`,
  );
  return alarms;
};

/**
 * Deploys the checkout's release to a stage, after `preflight`. From the second deployment on, CloudFormation restores
 * the release before when the alarms on 5xx or the canary's go off.
 *
 * @throws OperatorError when one of these alarms is red already, or a step fails.
 */
export const deployStage = async (
  { checkout, stack, say }: DeployStageDependencies,
  { stage, isWatched, revertsDrift, asks }: DeployStageOrder,
): Promise<void> => {
  await checkout.operator('--stage', stage, 'preflight');
  const triggers = await triggersFor({ stack, say }, { stage, isWatched });
  await checkout.run(
    'cdk',
    'deploy',
    '-c',
    `stage=${stage}`,
    ...(asks ? [] : ['--require-approval', 'never']),
    ...(revertsDrift ? ['--revert-drift'] : []),
    // The CDK reads one value after each name of this option.
    ...(triggers.length === 0 ? [noTriggers] : triggers).flatMap((arn) => [
      '--rollback-trigger-alarm-arns',
      arn,
    ]),
    ...(triggers.length === 0 ? [] : ['--monitoring-time-minutes', String(watchedMinutes)]),
  );
};
