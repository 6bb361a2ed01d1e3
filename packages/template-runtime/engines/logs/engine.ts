import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../../clock.ts';
import { accountId, arn } from '../account.ts';
import type { LambdaEngine } from '../lambda/types.ts';
import type { Datum, Metrics } from '../metrics/types.ts';
import { ServiceFault } from '../service-fault.ts';
import { type FollowedFile, followFile } from './follow-file.ts';
import { embeddedMetrics, filteredMetrics, type MeasuredLine } from './metrics-in.ts';
import { compilePattern, type Matches, parsedEvent } from './pattern.ts';
import type { Logs, SubscriptionFilter } from './types.ts';
import { createWaitingEvents, type WaitingEvent } from './waiting-events.ts';

export interface LogsOptions {
  readonly logDirectory: string;
  readonly waitingFile: string;
  readonly lambda: Pick<LambdaEngine, 'enqueue' | 'has' | 'mayInvoke'>;
  readonly metrics: Pick<Metrics, 'put'>;
  readonly clock: Clock;
}

/** The maximum number of subscription filters of a log group ("CloudWatch Logs quotas"). */
const maximumFilters = 2;

/**
 * A log group's ARN with `:*` at its end. `Fn::GetAtt` returns this form, and CloudWatch Logs uses it as the source ARN
 * of an invocation.
 */
export const logGroupArn = (groupName: string): string => arn('logs', `log-group:${groupName}:*`);

interface ActiveFilter extends SubscriptionFilter {
  readonly matches: Matches;
}

interface Group {
  subscriptions: readonly ActiveFilter[];
  readonly metricFilters: Map<string, (line: MeasuredLine) => Datum[]>;
}

const followMilliseconds = 1_000;

/**
 * A subscription filter collects the events of a log stream. It sends a batch after this time, or when it has
 * `batchLimit` events.
 */
const batchMilliseconds = 200;
const batchLimit = 100;

interface Batch {
  readonly filter: SubscriptionFilter;
  readonly events: WaitingEvent[];
}

export const createLogs = ({ logDirectory, waitingFile, lambda, metrics, clock }: LogsOptions): Logs => {
  const groups = new Map<string, Group>();
  const followed: FollowedFile[] = [];
  const waiting = createWaitingEvents(waitingFile);
  const batches = new Map<string, Batch>();
  let flushing: NodeJS.Timeout | undefined;
  let sequence = BigInt(Math.floor(clock())) << 64n;

  const groupOf = (groupName: string): Group => {
    const group = groups.get(groupName);
    if (group === undefined) {
      throw new ServiceFault({
        code: 'ResourceNotFoundException',
        message: `The specified log group does not exist: ${groupName}`,
      });
    }
    return group;
  };

  const mayHandOver = ({ destinationArn: target, groupName }: SubscriptionFilter): boolean =>
    lambda.has(target) &&
    lambda.mayInvoke({ target, principal: 'logs.amazonaws.com', sourceArn: logGroupArn(groupName) });

  const handOver = async ({ filter, events }: Batch): Promise<void> => {
    if (!mayHandOver(filter)) {
      metrics.put({
        namespace: 'AWS/Logs',
        name: 'DeliveryErrors',
        dimensions: {
          DestinationType: 'Lambda',
          FilterName: filter.name,
          LogGroupName: filter.groupName,
        },
        value: events.length,
        at: clock(),
      });
    } else if (!(await lambda.enqueue(filter.destinationArn, subscriptionEvent(events, filter)))) return;
    for (const { id } of events) waiting.done(id);
  };
  const flush = (): void => {
    clearTimeout(flushing);
    flushing = undefined;
    for (const batch of batches.values()) void handOver(batch);
    batches.clear();
  };
  const gather = (event: WaitingEvent, filter: SubscriptionFilter): void => {
    const key = JSON.stringify([filter.groupName, filter.name, event.streamName]);
    const batch = batches.get(key) ?? { filter, events: [] };
    batch.events.push(event);
    batches.set(key, batch);
    if (batch.events.length >= batchLimit) flush();
    else flushing ??= setTimeout(flush, batchMilliseconds);
  };

  const measure = ({ metricFilters }: Group, message: string, at: number): void => {
    if (!message.startsWith('{')) return;
    const event = parsedEvent(message);
    for (const datum of embeddedMetrics(event)) metrics.put(datum);
    for (const filter of metricFilters.values()) {
      for (const datum of filter({ event, message, at })) metrics.put(datum);
    }
  };

  const read = (): void => {
    for (const file of followed) file.read();
  };
  const timer = setInterval(read, followMilliseconds);
  timer.unref();

  return {
    createGroup: (name) => {
      if (!groups.has(name)) groups.set(name, { subscriptions: [], metricFilters: new Map() });
    },
    hasGroup: (name) => groups.has(name),
    putSubscriptionFilter: (filter) => {
      const group = groupOf(filter.groupName);
      const others = group.subscriptions.filter(({ name }) => name !== filter.name);
      if (others.length >= maximumFilters) {
        throw new ServiceFault({ code: 'LimitExceededException', message: 'Resource limit exceeded.' });
      }
      const { groupName } = filter;
      if (!mayHandOver(filter)) {
        throw new ServiceFault({
          code: 'InvalidParameterException',
          message:
            'Could not execute the lambda function. Make sure you have given CloudWatch Logs permission to execute your function.',
        });
      }
      const isNew = others.length === group.subscriptions.length;
      group.subscriptions = [...others, { ...filter, matches: compilePattern(filter.pattern) }];
      if (!isNew) return;
      for (const event of waiting.of({ groupName, filterName: filter.name })) gather(event, filter);
    },
    deleteSubscriptionFilter: ({ groupName, name }) => {
      const group = groupOf(groupName);
      const others = group.subscriptions.filter((each) => each.name !== name);
      if (others.length === group.subscriptions.length) {
        throw new ServiceFault({
          code: 'ResourceNotFoundException',
          message: 'The specified subscription filter does not exist.',
        });
      }
      group.subscriptions = others;
    },
    subscriptionFilters: (groupName) => groupOf(groupName).subscriptions,
    putMetricFilter: (filter) => {
      groupOf(filter.groupName).metricFilters.set(filter.name, filteredMetrics(filter));
    },
    follow: ({ groupName, file }) => {
      const group = groupOf(groupName);
      followed.push(followFile(file, (line) => measure(group, line, clock())));
    },
    write: (event) => {
      const group = groupOf(event.groupName);
      const file = join(logDirectory, `${event.groupName}.log`);
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${event.message}\n`);
      sequence += 1n;
      measure(group, event.message, event.timestamp);
      for (const filter of group.subscriptions.filter(({ matches }) => matches(event.message))) {
        const { groupName, streamName, timestamp, message } = event;
        const waitingEvent: WaitingEvent = {
          id: `${sequence}/${filter.name}`,
          groupName,
          filterName: filter.name,
          streamName,
          logEvent: { id: sequence.toString().padStart(56, '0'), timestamp, message },
        };
        waiting.add(waitingEvent);
        gather(waitingEvent, filter);
      }
    },
    read,
    stop: () => {
      clearInterval(timer);
      // Undelivered events stay in `waitingFile` until the next start.
      clearTimeout(flushing);
      for (const file of followed) {
        file.read();
        file.close();
      }
    },
  };
};

/**
 * The event that a subscribed function receives ("Using CloudWatch Logs subscription filters", the example with
 * Lambda).
 */
const subscriptionEvent = (events: readonly WaitingEvent[], filter: SubscriptionFilter) => {
  const data = {
    messageType: 'DATA_MESSAGE',
    owner: accountId,
    logGroup: filter.groupName,
    logStream: events[0]?.streamName,
    subscriptionFilters: [filter.name],
    logEvents: events.map(({ logEvent }) => logEvent),
  };
  return { awslogs: { data: gzipSync(JSON.stringify(data)).toString('base64') } };
};
