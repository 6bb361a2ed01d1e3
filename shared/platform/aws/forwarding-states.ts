import { CloudWatchLogsClient, DescribeSubscriptionFiltersCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { PartState } from '../check-stage.ts';
import { clientConfig } from './client.ts';

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
