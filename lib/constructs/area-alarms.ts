import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from './alarm.ts';
import { MarqueeFunction } from './marquee-function.ts';

/** The most metrics that an alarm may combine: AWS, *CloudWatch service quotas*. */
const metricsOfAnAlarm = 10;

interface Watch {
  /** Prefix of the alarms' names, before their numbers. */
  readonly id: string;
  readonly stage: StageConfig;
  readonly functions: readonly MarqueeFunction[];
  readonly metricOf: (each: MarqueeFunction) => IMetric;
  readonly label: string;
  /** Prefix of the functions' names. */
  readonly whatGoesWrong: string;
  readonly runbook: string;
}

const watchTogether = (
  area: Construct,
  { id, stage, functions, metricOf, label, whatGoesWrong, runbook }: Watch,
): void => {
  for (let first = 0; first < functions.length; first += metricsOfAnAlarm) {
    const watched = functions.slice(first, first + metricsOfAnAlarm);
    const metrics = watched.map((each, index) => [`m${index}`, metricOf(each)]);
    new ServiceAlarm(area, `${id}${first / metricsOfAnAlarm + 1}`, {
      stage,
      metric: new MathExpression({
        expression: 'SUM(METRICS())',
        usingMetrics: Object.fromEntries(metrics),
        label,
        period: Duration.minutes(5),
      }),
      // Two of three periods: one failure that a retry heals wakes nobody.
      threshold: 1,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      whatGoesWrong: `${whatGoesWrong}: ${watched.map((each) => each.serviceName).join(', ')}.`,
      runbook,
    });
  }
};

/**
 * Watches an area's functions, ten with one alarm, because a stack has room for 500 resources. It watches throttling,
 * because the function that starves is not the one that took the concurrency. It also watches errors of functions
 * behind the gateway, whose callers all get the same answer then. A function that describes its own failure has an
 * alarm of its own.
 */
export function watchFunctions(area: Construct, stage: StageConfig): void {
  const functions = area.node.findAll().filter((each) => each instanceof MarqueeFunction);
  watchTogether(area, {
    id: 'Throttles',
    stage,
    functions,
    metricOf: (each) => each.function.metricThrottles(),
    label: 'refused calls of functions',
    whatGoesWrong: 'One of these functions is throttled, so its callers are refused or wait',
    runbook: 'a-function-is-throttled',
  });
  watchTogether(area, {
    id: 'Errors',
    stage,
    functions: functions.filter(({ isWatchedByItself }) => !isWatchedByItself),
    metricOf: (each) => each.function.metricErrors(),
    label: 'failed calls of functions',
    whatGoesWrong: 'One of these functions throws or times out, so callers get a 502 or 504',
    runbook: 'a-function-fails',
  });
}
