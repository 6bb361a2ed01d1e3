import { setTimeout } from 'node:timers/promises';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { OperatorError } from '../../operator/platform/terminal/operator-error.ts';
import type { AwsSettings } from '../../shared/platform/aws/client.ts';
import type { Checkout } from './checkout.ts';
import type { DeployedStack } from './stack.ts';

export interface RehearseRollbackDependencies {
  readonly checkout: Pick<Checkout, 'run'>;
  readonly stack: Pick<DeployedStack, 'outputs'>;
  readonly aws: AwsSettings;
}

/** CloudWatch takes back a state that was set by hand when it next evaluates the alarm. */
const betweenStatesMilliseconds = 5_000;

/** Keeps the alarm red until the work has ended. */
const whileRed = async <Result>(
  cloudwatch: CloudWatchClient,
  { name, work }: { readonly name: string; readonly work: () => Promise<Result> },
): Promise<Result> => {
  const set = (StateValue: 'ALARM' | 'OK') =>
    cloudwatch.send(
      new SetAlarmStateCommand({ AlarmName: name, StateValue, StateReason: 'A rollback is rehearsed' }),
    );
  const ended = new AbortController();
  const keepRed = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await set('ALARM');
      await setTimeout(betweenStatesMilliseconds, undefined, { signal: ended.signal }).catch(() => {});
    }
  };
  await set('ALARM');
  const keeping = keepRed();
  try {
    return await work();
  } finally {
    ended.abort();
    await keeping;
    await set('OK');
  }
};

/**
 * Rehearses a rollback: sets the test alarm to red, and deploys changed tags with that alarm as the rollback trigger.
 * CloudFormation must then restore the old tags. The alarm notifies nobody, and callers notice nothing.
 *
 * @throws OperatorError when the change stays.
 */
export const rehearseRollback = async (
  { checkout, stack, aws }: RehearseRollbackDependencies,
  { stage }: { readonly stage: string },
): Promise<void> => {
  const described = async () => {
    const { Stacks: [found] = [] } = await new CloudFormationClient(aws).send(
      new DescribeStacksCommand({ StackName: `Marquee-${stage}` }),
    );
    return found;
  };
  const before = await described();
  const outputs = await stack.outputs(stage);
  const name = outputs?.get('RehearsalAlarm') ?? '';
  const [trigger = ''] = (outputs?.get('RollbackTriggerArns') ?? '').split(',');
  const beforeName = trigger.slice(0, trigger.indexOf(':alarm:') + ':alarm:'.length);
  const isDeployed = await whileRed(new CloudWatchClient(aws), {
    name,
    work: () =>
      checkout
        .run(
          ...(['cdk', 'deploy', '-c', `stage=${stage}`, '--require-approval', 'never'] as const),
          ...['--tags', 'rehearsal=rollback', '--rollback-trigger-alarm-arns', `${beforeName}${name}`],
        )
        .then(
          () => true,
          () => false,
        ),
  });
  const after = await described();
  // The status may be that of an earlier rehearsal, if the deployment failed before it began.
  const hasBegun = after?.LastUpdatedTime?.getTime() !== before?.LastUpdatedTime?.getTime();
  if (isDeployed || !hasBegun || after?.StackStatus !== 'UPDATE_ROLLBACK_COMPLETE') {
    throw new OperatorError({
      message: `The test alarm was red, and CloudFormation did not roll back: the stack is in ${after?.StackStatus}${hasBegun ? '' : ', as before'}.`,
    });
  }
};
