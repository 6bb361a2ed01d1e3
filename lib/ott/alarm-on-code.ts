import { Duration } from 'aws-cdk-lib';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from '../constructs/alarm.ts';
import type { MarqueeFunction } from '../constructs/marquee-function.ts';
import { metricsNamespace } from '../constructs/metrics-namespace.ts';

export interface WatchedCode {
  /** As functions log it. */
  readonly code: string;
  readonly name: string;
  /** Lines in five minutes. */
  readonly threshold: number;
  readonly whatGoesWrong: string;
  readonly runbook: string;
}

/** An alarm on what functions log where the calls themselves go on, so that nothing else would tell. */
export const alarmOnCode = (
  scope: Construct,
  {
    stage,
    callers,
    watched,
  }: {
    readonly stage: StageConfig;
    readonly callers: readonly MarqueeFunction[];
    readonly watched: WatchedCode;
  },
): void => {
  const { code, name, threshold, whatGoesWrong, runbook } = watched;
  const metricNamespace = metricsNamespace(stage);
  const [metric] = callers.map((caller) =>
    new MetricFilter(caller, name, {
      logGroup: caller.function.logGroup,
      filterPattern: FilterPattern.stringValue('$.code', '=', code),
      metricNamespace,
      metricName: name,
    }).metric({ statistic: 'Sum', period: Duration.minutes(5) }),
  );
  if (metric === undefined) return;
  new ServiceAlarm(scope, name, { stage, metric, threshold, whatGoesWrong, runbook });
};
