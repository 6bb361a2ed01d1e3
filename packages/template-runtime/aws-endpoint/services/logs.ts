import * as z from 'zod';
import { arn } from '../../engines/account.ts';
import type { Logs } from '../../engines/logs/types.ts';
import { jsonOperation, jsonService } from '../json-protocol.ts';

const filterReference = z.object({ logGroupName: z.string(), filterName: z.string() });
const newFilter = filterReference.extend({ filterPattern: z.string(), destinationArn: z.string() });

const groupArn = (name: string): string => arn('logs', `log-group:${name}`);

/** The subscription filters of CloudWatch Logs, and the account's resource policies, of which there are none. */
export const logsService = (
  logs: Pick<Logs, 'putSubscriptionFilter' | 'deleteSubscriptionFilter' | 'subscriptionFilters'>,
) =>
  jsonService({
    PutSubscriptionFilter: jsonOperation(
      newFilter,
      ({ logGroupName: groupName, filterName: name, filterPattern: pattern, destinationArn }, call) => {
        call.allow('logs:PutSubscriptionFilter', groupArn(groupName));
        logs.putSubscriptionFilter({ groupName, name, pattern, destinationArn });
      },
    ),
    DeleteSubscriptionFilter: jsonOperation(filterReference, ({ logGroupName, filterName: name }, call) => {
      call.allow('logs:DeleteSubscriptionFilter', groupArn(logGroupName));
      logs.deleteSubscriptionFilter({ groupName: logGroupName, name });
    }),
    DescribeResourcePolicies: jsonOperation(z.object({}), (_, call) => {
      call.allow('logs:DescribeResourcePolicies', '*');
      return { resourcePolicies: [] };
    }),
    DescribeSubscriptionFilters: jsonOperation(
      z.object({ logGroupName: z.string(), filterNamePrefix: z.string().default('') }),
      ({ logGroupName, filterNamePrefix }, call) => {
        call.allow('logs:DescribeSubscriptionFilters', [
          groupArn(logGroupName),
          `${groupArn(logGroupName)}:log-stream:`,
        ]);
        return {
          subscriptionFilters: logs
            .subscriptionFilters(logGroupName)
            .filter(({ name }) => name.startsWith(filterNamePrefix))
            .map(({ name, pattern, destinationArn }) => ({
              logGroupName,
              filterName: name,
              filterPattern: pattern,
              destinationArn,
            })),
        };
      },
    ),
  });
