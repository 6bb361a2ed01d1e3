import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { accountId, arn } from '../account.ts';
import type { LambdaEngine } from '../lambda/types.ts';
import { ServiceFault } from '../service-fault.ts';
import { compilePattern, type Matches } from './pattern.ts';
import type { LogEvent, Logs, SubscriptionFilter } from './types.ts';

export interface LogsOptions {
  readonly logDirectory: string;
  readonly lambda: Pick<LambdaEngine, 'enqueue' | 'has' | 'mayInvoke'>;
}

/** "CloudWatch Logs quotas": subscription filters of one log group. */
const maximumFilters = 2;

/** As `Fn::GetAtt` answers it, and as CloudWatch Logs names the group that an invocation comes from. */
export const logGroupArn = (groupName: string): string => arn('logs', `log-group:${groupName}:*`);

interface ActiveFilter extends SubscriptionFilter {
  readonly matches: Matches;
}

/** Every event is a batch of its own: a filter hears of it at once. */
export const createLogs = ({ logDirectory, lambda }: LogsOptions): Logs => {
  const groups = new Map<string, ActiveFilter[]>();
  let sequence = BigInt(Date.now()) << 64n;

  const filtersOf = (groupName: string): ActiveFilter[] => {
    const filters = groups.get(groupName);
    if (filters === undefined) {
      throw new ServiceFault({
        code: 'ResourceNotFoundException',
        message: `The specified log group does not exist: ${groupName}`,
      });
    }
    return filters;
  };

  return {
    createGroup: (name) => {
      if (!groups.has(name)) groups.set(name, []);
    },
    hasGroup: (name) => groups.has(name),
    putSubscriptionFilter: (filter) => {
      const filters = filtersOf(filter.groupName);
      const others = filters.filter(({ name }) => name !== filter.name);
      if (others.length >= maximumFilters) {
        throw new ServiceFault({ code: 'LimitExceededException', message: 'Resource limit exceeded.' });
      }
      const { destinationArn: target, groupName } = filter;
      const sourceArn = logGroupArn(groupName);
      if (!lambda.has(target) || !lambda.mayInvoke({ target, principal: 'logs.amazonaws.com', sourceArn })) {
        throw new ServiceFault({
          code: 'InvalidParameterException',
          message:
            'Could not execute the lambda function. Make sure you have given CloudWatch Logs permission to execute your function.',
        });
      }
      groups.set(groupName, [...others, { ...filter, matches: compilePattern(filter.pattern) }]);
    },
    write: (event) => {
      const filters = filtersOf(event.groupName);
      const file = join(logDirectory, `${event.groupName}.log`);
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${event.message}\n`);
      sequence += 1n;
      for (const filter of filters.filter(({ matches }) => matches(event.message))) {
        lambda.enqueue(filter.destinationArn, subscriptionEvent(event, filter, sequence));
      }
    },
  };
};

/** "Using CloudWatch Logs subscription filters" with Lambda: what a function is given. */
const subscriptionEvent = (
  { groupName, streamName, timestamp, message }: LogEvent,
  filter: SubscriptionFilter,
  sequence: bigint,
) => {
  const data = {
    messageType: 'DATA_MESSAGE',
    owner: accountId,
    logGroup: groupName,
    logStream: streamName,
    subscriptionFilters: [filter.name],
    logEvents: [{ id: sequence.toString().padStart(56, '0'), timestamp, message }],
  };
  return { awslogs: { data: gzipSync(JSON.stringify(data)).toString('base64') } };
};
