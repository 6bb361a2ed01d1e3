import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DisableRuleCommand, EnableRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { localTemplate } from '../platform/local-assembly.ts';
import type { System } from '../platform/system.ts';

/**
 * Switches off the schedule of redelivery, for tests that count what an operator or a customer sends again. Returns a
 * function that switches it on.
 */
export const switchOffRedelivery = async ({ aws }: Pick<System, 'aws'>): Promise<() => Promise<void>> => {
  const [LogicalResourceId] = Object.keys(localTemplate().Resources).filter((id) =>
    /^UserDataRecordMinutely[0-9A-F]{8}$/.test(id),
  );
  const { StackResources = [] } = await new CloudFormationClient(aws).send(
    new DescribeStackResourcesCommand({ StackName: 'Marquee-local', LogicalResourceId }),
  );
  const Name = StackResources[0]?.PhysicalResourceId;
  if (Name === undefined) throw new Error('The stack has no schedule of redelivery');
  const rules = new EventBridgeClient(aws);
  await rules.send(new DisableRuleCommand({ Name }));
  return async () => {
    await rules.send(new EnableRuleCommand({ Name }));
  };
};
