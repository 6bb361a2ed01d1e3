import { type Duration, Stack } from 'aws-cdk-lib';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ServiceAlarm, unlessHealed, type Watched, watchTogether } from './alarm.ts';
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

/**
 * Adds alarms for all functions of the stack.
 * - Throttling: the functions behind the gateway, whose callers are refused. Lambda repeats the other calls, so a
 *   throttled one is normal while a backlog is worked off. Alarms on their lateness tell when it lasts.
 * - Errors: the functions behind the gateway, because any error has the same effect: the caller gets a 502 or 504.
 * - A function with its own text `whatGoesWrong` has its own alarm on errors instead.
 */
export function watchFunctions(scope: Construct): void {
  const behindGateway = Stack.of(scope)
    .node.findAll()
    .filter((each) => each instanceof MarqueeFunction)
    .filter(({ isWatchedByItself }) => !isWatchedByItself);
  const metricsOf = (metricName: string) =>
    behindGateway.map(({ serviceName, function: each }) => ({
      of: serviceName,
      metric: each.metric(metricName, { statistic: 'Sum' }),
    }));
  watchTogether(scope, 'Throttles', {
    label: 'refused calls of functions',
    metrics: metricsOf('Throttles'),
    ...unlessHealed,
    whatGoesWrong: (names) => `One of these functions is throttled, so its callers are refused: ${names}.`,
    runbook: 'a-function-is-throttled',
    severity: 'page',
  });
  watchTogether(scope, 'Errors', {
    label: 'failed calls of functions',
    metrics: metricsOf('Errors'),
    ...unlessHealed,
    whatGoesWrong: (names) =>
      `One of these functions throws or times out, so callers get a 502 or 504: ${names}.`,
    runbook: 'a-function-fails',
    severity: 'page',
  });
}
