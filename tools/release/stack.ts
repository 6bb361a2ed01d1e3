import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import type { AwsSettings } from '../../shared/platform/aws/client.ts';

/** The parts of the changed stack on which a deployment depends. */
export interface DeployedStack {
  /** The ARNs of the alarms that roll back a deployment. Empty before the first deployment. */
  rollbackTriggers(stage: string): Promise<readonly string[]>;
  /** The stack's outputs, by name; `undefined` if there is no stack. */
  outputs(stage: string): Promise<ReadonlyMap<string, string> | undefined>;
  /** The names of those of the alarms that are in the state `ALARM` now. */
  red(alarmArns: readonly string[]): Promise<readonly string[]>;
}

/** The last part of an alarm's ARN. */
const nameOf = (arn: string): string => arn.slice(arn.indexOf(':alarm:') + ':alarm:'.length);

const isMissing = (error: unknown): boolean =>
  error instanceof Error && error.message.endsWith('does not exist');

export const deployedStack = (settings: AwsSettings): DeployedStack => {
  const outputs: DeployedStack['outputs'] = async (stage) => {
    try {
      const { Stacks: [stack] = [] } = await new CloudFormationClient(settings).send(
        new DescribeStacksCommand({ StackName: `Marquee-${stage}` }),
      );
      const all = stack?.Outputs ?? [];
      return new Map(all.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
  return {
    outputs,
    rollbackTriggers: async (stage) => {
      // A stack has outputs only after it was once created completely.
      const arns = (await outputs(stage))?.get('RollbackTriggerArns') ?? '';
      return arns.split(',').filter((arn) => arn !== '');
    },
    red: async (alarmArns) => {
      const { MetricAlarms = [] } = await new CloudWatchClient(settings).send(
        new DescribeAlarmsCommand({ AlarmNames: alarmArns.map(nameOf), StateValue: 'ALARM' }),
      );
      return MetricAlarms.map(({ AlarmName = '' }) => AlarmName);
    },
  };
};
