import { ServiceFault } from '../../engines/service-fault.ts';
import { element, memberList, queryService } from '../query-protocol.ts';
import type { StackDescription } from '../types.ts';

const status = 'CREATE_COMPLETE';

/** DescribeStackResources returns no more, and has no next page (API Reference, *DescribeStackResources*). */
const describedResources = 100;

const createdAt = ({ creationTime }: StackDescription): string => creationTime.toISOString();

const described = (stack: StackDescription): string =>
  element('StackId', stack.arn) +
  element('StackName', stack.name) +
  element('Description', stack.description) +
  element('CreationTime', createdAt(stack)) +
  element('StackStatus', status) +
  element('EnableTerminationProtection', String(stack.terminationProtection)) +
  element('DisableRollback', 'false') +
  memberList(
    'Parameters',
    Object.entries(stack.parameters).map(
      ([key, value]) => element('ParameterKey', key) + element('ParameterValue', value),
    ),
  ) +
  memberList(
    'Outputs',
    stack.outputs.map(
      (output) =>
        element('OutputKey', output.key) +
        element('OutputValue', output.value) +
        element('Description', output.description) +
        element('ExportName', output.exportName),
    ),
  );

const resource = ({ logicalId, physicalId, type }: StackDescription['resources'][number]) =>
  element('LogicalResourceId', logicalId) +
  element('PhysicalResourceId', physicalId) +
  element('ResourceType', type) +
  element('ResourceStatus', status);

export const cloudFormationService = (stacks: () => readonly StackDescription[]) => {
  const find = (nameOrArn: string): StackDescription => {
    const found = stacks().find((stack) => stack.name === nameOrArn || stack.arn === nameOrArn);
    if (!found) {
      throw new ServiceFault({
        code: 'ValidationError',
        message: `Stack with id ${nameOrArn} does not exist`,
      });
    }
    return found;
  };

  return queryService({
    namespace: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
    deniedCode: 'AccessDenied',
    operations: {
      DescribeStacks(parameters, call) {
        const name = parameters.get('StackName');
        call.allow('cloudformation:DescribeStacks', name === null ? '*' : find(name).arn);
        return memberList('Stacks', (name === null ? stacks() : [find(name)]).map(described));
      },
      ListStackResources(parameters, call) {
        const stack = find(parameters.get('StackName') ?? '');
        call.allow('cloudformation:ListStackResources', stack.arn);
        const from = Number(parameters.get('NextToken') ?? 0);
        const next = from + describedResources;
        return (
          memberList(
            'StackResourceSummaries',
            stack.resources
              .slice(from, next)
              .map((each) => resource(each) + element('LastUpdatedTimestamp', createdAt(stack))),
          ) + (next < stack.resources.length ? element('NextToken', String(next)) : '')
        );
      },
      DescribeStackResources(parameters, call) {
        const stack = find(parameters.get('StackName') ?? '');
        call.allow('cloudformation:DescribeStackResources', stack.arn);
        const logicalId = parameters.get('LogicalResourceId');
        return memberList(
          'StackResources',
          stack.resources
            .filter((each) => logicalId === null || each.logicalId === logicalId)
            .slice(0, describedResources)
            .map(
              (each) =>
                element('StackId', stack.arn) +
                element('StackName', stack.name) +
                resource(each) +
                element('Timestamp', createdAt(stack)),
            ),
        );
      },
    },
  });
};
