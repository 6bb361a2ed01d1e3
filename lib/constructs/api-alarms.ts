import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from './alarm.ts';

export interface ApiAlarmsProps {
  readonly stage: StageConfig;
  readonly api: RestApi;
  readonly name: string;
}

/** What is watched of every API: that it answers, and how fast. */
export function addApiAlarms({ stage, api, name }: ApiAlarmsProps): void {
  const period = Duration.minutes(5);
  new ServiceAlarm(api, 'ServerErrors', {
    stage,
    metric: api.metricServerError({ period, statistic: 'Average' }),
    threshold: 0.01,
    evaluationPeriods: 2,
    whatGoesWrong: `At least one in a hundred requests to the ${name} API is answered with a 5xx: callers are not served.`,
    runbook: 'an-api-answers-5xx',
  });
  new ServiceAlarm(api, 'SlowAnswers', {
    stage,
    metric: api.metricLatency({ period, statistic: 'p99' }),
    threshold: Duration.seconds(5).toMilliseconds(),
    evaluationPeriods: 3,
    whatGoesWrong: `One in a hundred requests to the ${name} API takes more than five seconds: callers give up and retry.`,
    runbook: 'an-api-is-slow',
  });
}
