import type { DeployContext, DeployedResource, ResourceType } from '../resources/resource-type.ts';
import type { StackRecords } from './stack-records.ts';
import type { TemplateResource } from './template.ts';

export interface CreatedResource {
  readonly logicalId: string;
  readonly resource: TemplateResource;
  /** With intrinsic functions resolved. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly deployed: DeployedResource;
}

/**
 * The property that sets a resource's name, by resource type. Lists only the types whose names must be unique in an
 * account and Region.
 */
const nameProperties: Readonly<Record<string, string>> = {
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Events::Rule': 'Name',
  'AWS::IAM::Role': 'RoleName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::StepFunctions::StateMachine': 'StateMachineName',
  'AWS::WAFv2::WebACL': 'Name',
};

const nameOf = (type: string, properties: Readonly<Record<string, unknown>>): string | undefined => {
  const name = properties[nameProperties[type] ?? ''];
  return typeof name === 'string' ? `${type} ${name}` : undefined;
};

/**
 * Throws if an earlier stack left a resource of the same type and name behind. CloudFormation does not adopt such a
 * resource, so creating the new one would fail.
 */
export const refuseTakenName = (
  records: StackRecords,
  { type, properties }: { readonly type: string; readonly properties: Readonly<Record<string, unknown>> },
): void => {
  const name = nameOf(type, properties);
  if (name !== undefined && records.isTaken(name)) throw new Error(`${name} already exists`);
};

/**
 * Whether the deployment creates the stack rather than updates it.
 *
 * @throws when a failed creation left a stack that must be deleted first.
 */
export const isCreation = (records: StackRecords, stackName: string): boolean => {
  const record = records.find(stackName);
  if (record?.status === 'ROLLBACK_FAILED') {
    throw new Error(
      `Stack ${stackName} is in ROLLBACK_FAILED state and can not be updated: some of its resources could not be deleted`,
    );
  }
  if (record?.status === 'ROLLBACK_COMPLETE' && record.terminationProtection) {
    throw new Error(`Stack [${stackName}] cannot be deleted while TerminationProtection is enabled`);
  }
  return record?.status !== 'CREATE_COMPLETE';
};

/**
 * Rolls back a failed creation, newest resource first, as CloudFormation does. Resources with `Retain` stay; those with
 * `RetainExceptOnCreate` are deleted. A resource with deletion protection stays too, and the rollback fails.
 *
 * @returns one line for each resource that refused its deletion.
 */
export const rollBack = async (
  made: readonly CreatedResource[],
  {
    records,
    resourceTypes,
    context,
  }: {
    readonly records: StackRecords;
    readonly resourceTypes: ReadonlyMap<string, ResourceType>;
    readonly context: Omit<DeployContext, 'logicalId'>;
  },
): Promise<readonly string[]> => {
  const refusals: string[] = [];
  for (const { logicalId, resource, properties, deployed } of made.toReversed()) {
    const { Type, DeletionPolicy } = resource;
    if (DeletionPolicy === 'Retain') {
      const name = nameOf(Type, properties);
      if (name !== undefined) records.take(name);
    } else if (properties.DeletionProtectionEnabled === true) {
      refusals.push(`${logicalId} (${Type}) can't be deleted: deletion protection is enabled`);
    } else {
      await resourceTypes.get(Type)?.remove?.(deployed, { ...context, logicalId });
    }
  }
  return refusals;
};
