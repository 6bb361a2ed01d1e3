import { DeleteTableCommand, DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { stageSettings } from '../../operator/platform/target/stage-settings.ts';
import { OperatorError, UsageError } from '../../operator/platform/terminal/operator-error.ts';
import type { AwsSettings } from '../../shared/platform/aws/client.ts';
import type { Checkout } from './checkout.ts';
import type { DeployedStack } from './stack.ts';

export interface DestroyStageDependencies {
  readonly checkout: Pick<Checkout, 'run'>;
  readonly stack: Pick<DeployedStack, 'outputs'>;
  readonly aws: AwsSettings;
}

/** Deletes the stage's tables that are in no stack, which `restore` has left. */
const deleteRestoredTables = async (aws: AwsSettings, stackName: string): Promise<void> => {
  const client = new DynamoDBClient(aws);
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    for (const TableName of TableNames.filter((name) => name.startsWith(`${stackName}-`))) {
      await client.send(new DeleteTableCommand({ TableName }));
    }
  }
};

/**
 * Removes a stage that keeps nothing, and checks that its stack is gone.
 *
 * @throws UsageError when the stage retains data.
 */
export const destroyStage = async (
  { checkout, stack, aws }: DestroyStageDependencies,
  { stage }: { readonly stage: string },
): Promise<void> => {
  if (stageSettings(stage).retainData) {
    throw new UsageError({
      message: `The stage ${stage} sets retainData: see "Removing a stage" in the operator guide.`,
    });
  }
  await checkout.run('cdk', 'destroy', '-c', `stage=${stage}`, '--force');
  const stackName = `Marquee-${stage}`;
  if ((await stack.outputs(stage)) !== undefined) {
    throw new OperatorError({ message: `The stack ${stackName} is still there.` });
  }
  await deleteRestoredTables(aws, stackName);
};
