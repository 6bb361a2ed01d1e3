import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { CloudWatchLogsClient, DescribeSubscriptionFiltersCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DescribeRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetEventSourceMappingCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { CheckStageDependencies, PartState } from '../check-stage.ts';
import { clientConfig } from './client.ts';

/** A part that may have been deleted, which is then off. */
const stateOf = async (part: string, read: () => Promise<Omit<PartState, 'part'>>): Promise<PartState> => {
  try {
    return { part, ...(await read()) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') throw error;
    return { part, state: 'Deleted', isOn: false };
  }
};

/** States in which a mapping reads nothing, and will not begin to by itself. */
const off = new Set(['Disabled', 'Disabling', 'Deleting']);

export const mappingStates = ({ mappingIds }: { readonly mappingIds: readonly string[] }) => {
  const lambda = new LambdaClient(clientConfig({ maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }));
  return (): Promise<PartState[]> =>
    Promise.all(
      mappingIds.map((UUID) =>
        stateOf(UUID, async () => {
          const { State = '' } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
          return { state: State, isOn: !off.has(State) };
        }),
      ),
    );
};

/** Whether each log group has a subscription filter, which forwards its lines. */
export const forwardingStates = ({ logGroups }: { readonly logGroups: readonly string[] }) => {
  const logs = new CloudWatchLogsClient(clientConfig({ maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }));
  return (): Promise<PartState[]> =>
    Promise.all(
      logGroups.map(async (logGroupName) => {
        const { subscriptionFilters = [] } = await logs.send(
          new DescribeSubscriptionFiltersCommand({ logGroupName }),
        );
        const isOn = subscriptionFilters.length > 0;
        return { part: logGroupName, state: isOn ? 'Forwarded' : 'No subscription filter', isOn };
      }),
    );
};

export const keyStates = ({ keyArns }: { readonly keyArns: readonly string[] }) => {
  const kms = new KMSClient(clientConfig({ maxAttempts: 3, requestTimeoutMilliseconds: 2_500 }));
  return (): Promise<PartState[]> =>
    Promise.all(
      keyArns.map(async (KeyId) => {
        const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId }));
        const state = KeyMetadata?.KeyState ?? '';
        return { part: KeyId, state, isOn: state === 'Enabled' };
      }),
    );
};

export const ruleStates = ({ ruleNames }: { readonly ruleNames: readonly string[] }) => {
  const events = new EventBridgeClient(clientConfig({ maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }));
  return (): Promise<PartState[]> =>
    Promise.all(
      ruleNames.map((Name) =>
        stateOf(Name, async () => {
          const { State = '' } = await events.send(new DescribeRuleCommand({ Name }));
          return { state: State, isOn: State !== 'DISABLED' };
        }),
      ),
    );
};

/** Writes the findings in CloudWatch's embedded metric format, with the dimension `service` = `canary`. */
export const stageFindings = (namespace: string): CheckStageDependencies['findings'] => {
  const metrics = new Metrics({ namespace, serviceName: 'canary' });
  return (findings) => {
    for (const [name, value] of Object.entries(findings)) {
      if (value !== undefined) metrics.addMetric(name, MetricUnit.Count, value);
    }
    metrics.publishStoredMetrics();
  };
};
