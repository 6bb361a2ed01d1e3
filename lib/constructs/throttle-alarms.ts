import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from './alarm.ts';
import { MarqueeFunction } from './marquee-function.ts';

/** As many as an alarm may put together: AWS, *CloudWatch service quotas*. */
const metricsOfAnAlarm = 10;

/**
 * Watches that functions get concurrency, ten with one alarm: whoever starves is not who took the concurrency, so that
 * an alarm for each would say no more, and a stack has room for 500 resources.
 */
export function watchThrottles(area: Construct, stage: StageConfig): void {
  const functions = area.node.findAll().filter((each) => each instanceof MarqueeFunction);
  for (let first = 0; first < functions.length; first += metricsOfAnAlarm) {
    const watched = functions.slice(first, first + metricsOfAnAlarm);
    const metrics = watched.map((each) => each.function.metricThrottles());
    new ServiceAlarm(area, `Throttles${first / metricsOfAnAlarm + 1}`, {
      stage,
      metric: new MathExpression({
        expression: 'SUM(METRICS())',
        usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
        label: 'refused calls of functions',
        period: Duration.minutes(5),
      }),
      // Two of three periods: one refusal that a repetition heals wakes nobody.
      threshold: 1,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      whatGoesWrong: `One of these functions gets no concurrency, so that its callers are refused or wait: ${watched.map((each) => each.serviceName).join(', ')}.`,
      runbook: 'a-function-is-throttled',
    });
  }
}
