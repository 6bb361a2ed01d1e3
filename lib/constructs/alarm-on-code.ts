import { Duration } from 'aws-cdk-lib';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from './alarm.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import { metricsNamespace } from './metrics-namespace.ts';

export interface WatchedCode {
  /** Of the metric. */
  readonly name: string;
  /** Of the alarm. @default the metric's */
  readonly id?: string;
  /** The field of a line that holds the number to count, such as `$.count`. @default each line counts one */
  readonly value?: string;
  /** The statistic of a period. @default the sum */
  readonly statistic?: 'Sum' | 'Maximum';
  /** @default 5 minutes */
  readonly period?: Duration;
  /** Periods in a row that must breach. @default 1 */
  readonly periods?: number;
  readonly threshold: number;
  readonly whatGoesWrong: string;
  readonly runbook: string;
}

/** An alarm on the code of log lines, for failures that calls survive and no other metric would show. */
export const alarmsOnCodes = (
  scope: Construct,
  {
    stage,
    callers,
    watched,
  }: {
    readonly stage: StageConfig;
    readonly callers: readonly MarqueeFunction[];
    readonly watched: Readonly<Record<string, WatchedCode>>;
  },
): void => {
  for (const [
    code,
    { name, id = name, value, statistic = 'Sum', period, periods, ...told },
  ] of Object.entries(watched)) {
    const [metric] = callers.map((caller) =>
      new MetricFilter(caller, name, {
        logGroup: caller.function.logGroup,
        filterPattern: FilterPattern.stringValue('$.code', '=', code),
        metricNamespace: metricsNamespace(stage),
        metricName: name,
        ...(value !== undefined && { metricValue: value }),
      }).metric({ statistic, period: period ?? Duration.minutes(5) }),
    );
    if (metric === undefined) continue;
    new ServiceAlarm(scope, id, { stage, metric, evaluationPeriods: periods ?? 1, ...told });
  }
};
