import type { Duration } from 'aws-cdk-lib';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ServiceAlarm, sumOf, type Told, unlessHealed, type Watched } from './alarm.ts';
import { idOf, MarqueeFunction } from './marquee-function.ts';
import { metricsNamespace } from './stage.ts';

export interface WatchedCode extends Watched {
  /** The alarm's construct id. @default the metric's name */
  readonly id?: string;
  /** The field of a log line that is added to the metric, such as `$.count`. @default each line counts as one */
  readonly value?: string;
  /** The statistic that the alarm applies to each period. @default the sum */
  readonly statistic?: 'Sum' | 'Maximum';
  /** @default 5 minutes */
  readonly period?: Duration;
}

/**
 * Adds an alarm for each code. The functions log a code when a call succeeds in spite of a failure that no other metric
 * shows. The code gives the metric its name: `TOPIC_UNAVAILABLE` becomes TopicUnavailable.
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

/** The maximum number of metrics in one alarm (AWS, *CloudWatch service quotas*). */
const metricsOfAnAlarm = 10;

/** Adds one alarm for every ten functions. The alarm's description lists the names of its functions. */
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
 * Adds alarms for the functions of an area. Ten functions share an alarm, because a stack can have only 500 resources.
 * - Throttling: the functions behind the gateway, whose callers are refused. Lambda repeats the other calls, so a
 *   throttled one is normal while a backlog is worked off. Alarms on their lateness tell when it lasts.
 * - Errors: the functions behind the gateway, because any error has the same effect: the caller gets a 502 or 504.
 * - A function with its own text `whatGoesWrong` has its own alarm on errors instead.
 */
export function watchFunctions(area: Construct): void {
  const functions = area.node.findAll().filter((each) => each instanceof MarqueeFunction);
  const behindGateway = functions.filter(({ isWatchedByItself }) => !isWatchedByItself);
  watchTogether(area, behindGateway, 'Throttles', 'refused calls of functions', {
    whatGoesWrong: 'One of these functions is throttled, so its callers are refused',
    runbook: 'a-function-is-throttled',
  });
  watchTogether(area, behindGateway, 'Errors', 'failed calls of functions', {
    whatGoesWrong: 'One of these functions throws or times out, so callers get a 502 or 504',
    runbook: 'a-function-fails',
  });
}
