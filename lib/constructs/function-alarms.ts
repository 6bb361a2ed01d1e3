import type { Duration } from 'aws-cdk-lib';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ServiceAlarm, sumOf, type Told, unlessHealed, type Watched } from './alarm.ts';
import { idOf, MarqueeFunction } from './marquee-function.ts';
import { metricsNamespace } from './stage.ts';

export interface WatchedCode extends Watched {
  /** The alarm's id. @default the metric's name */
  readonly id?: string;
  /** The field of a log line that holds the number to add, such as `$.count`. @default each line counts as one */
  readonly value?: string;
  /** The statistic of a period. @default the sum */
  readonly statistic?: 'Sum' | 'Maximum';
  /** @default 5 minutes */
  readonly period?: Duration;
}

/**
 * An alarm for each code in the log lines of these functions: for failures that a call survives and that no other
 * metric shows. The metric is named by the code: `TOPIC_UNAVAILABLE` is TopicUnavailable.
 */
export const alarmsOnCodes = <Code extends string>(
  scope: Construct,
  callers: readonly MarqueeFunction[],
  watched: Readonly<Record<Code, WatchedCode>>,
): void => {
  for (const [code, each] of Object.entries<WatchedCode>(watched)) {
    const { id, value, statistic = 'Sum', period, ...alarm } = each;
    const name = idOf(code.toLowerCase().replaceAll('_', '-'));
    const [metric] = callers.map((caller) =>
      new MetricFilter(caller, name, {
        logGroup: caller.function.logGroup,
        filterPattern: FilterPattern.stringValue('$.code', '=', code),
        metricNamespace: metricsNamespace(scope),
        metricName: name,
        metricValue: value,
      }).metric({ statistic, period }),
    );
    if (metric !== undefined) new ServiceAlarm(scope, id ?? name, { metric, ...alarm });
  }
};

/** The most metrics that an alarm may combine: AWS, *CloudWatch service quotas*. */
const metricsOfAnAlarm = 10;

/** Makes one alarm for each ten of the functions, whose text ends with their names. */
const watchTogether = (
  area: Construct,
  functions: readonly MarqueeFunction[],
  metricName: string,
  label: string,
  { whatGoesWrong, runbook }: Told,
): void => {
  for (let first = 0; first < functions.length; first += metricsOfAnAlarm) {
    const watched = functions.slice(first, first + metricsOfAnAlarm);
    const metrics = watched.map((each) => each.function.metric(metricName, { statistic: 'Sum' }));
    new ServiceAlarm(area, `${metricName}${first / metricsOfAnAlarm + 1}`, {
      metric: sumOf(label, metrics),
      ...unlessHealed,
      whatGoesWrong: `${whatGoesWrong}: ${watched.map((each) => each.serviceName).join(', ')}.`,
      runbook,
    });
  }
};

/**
 * Watches an area's functions, ten with one alarm, because a stack has room for only 500 resources. It watches
 * throttling, because the function that is throttled is not the one that uses the concurrency. It watches errors of
 * functions behind the gateway, whose callers then all get the same answer. A function that describes its own failure
 * has an alarm of its own.
 */
export function watchFunctions(area: Construct): void {
  const functions = area.node.findAll().filter((each) => each instanceof MarqueeFunction);
  watchTogether(area, functions, 'Throttles', 'refused calls of functions', {
    whatGoesWrong: 'One of these functions is throttled, so its callers are refused or wait',
    runbook: 'a-function-is-throttled',
  });
  const behindGateway = functions.filter(({ isWatchedByItself }) => !isWatchedByItself);
  watchTogether(area, behindGateway, 'Errors', 'failed calls of functions', {
    whatGoesWrong: 'One of these functions throws or times out, so callers get a 502 or 504',
    runbook: 'a-function-fails',
  });
}
