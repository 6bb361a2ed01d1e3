import { Duration } from 'aws-cdk-lib';
import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { ServiceAlarm } from './alarm.ts';

/** With few requests, a single failure would be a large share. An API that answers nobody is reported by the canary. */
const fewestFailures = 10;

/**
 * Of fewer requests in five minutes, one slow request would be the slowest hundredth. Of a handful, it could be half.
 */
const manyCalls = 100;
const fewestCalls = 10;

/** The alarms of one API. */
export function watchApi(api: apigateway.SpecRestApi, name: string): void {
  new ServiceAlarm(api, 'ServerErrors', {
    metric: new cloudwatch.MathExpression({
      expression: `IF(failed >= ${fewestFailures}, failed / calls, 0)`,
      usingMetrics: {
        failed: api.metricServerError({ statistic: 'Sum' }),
        calls: api.metricServerError({ statistic: 'SampleCount' }),
      },
      label: 'share of requests that are answered with a 5xx',
    }),
    threshold: 0.01,
    evaluationPeriods: 2,
    rollsBack: true,
    whatGoesWrong: `At least one in a hundred requests to the ${name} API, and at least ${fewestFailures} in five minutes, is answered with a 5xx: callers are not served.`,
    runbook: 'an-api-answers-5xx',
    severity: 'page',
  });
  new ServiceAlarm(api, 'SlowAnswers', {
    metric: new cloudwatch.MathExpression({
      expression: `IF(calls >= ${manyCalls}, slowest, IF(calls >= ${fewestCalls}, median, 0))`,
      usingMetrics: {
        calls: api.metricLatency({ statistic: 'SampleCount' }),
        slowest: api.metricLatency({ statistic: 'p99' }),
        median: api.metricLatency({ statistic: 'p50' }),
      },
      label: 'milliseconds of the slowest hundredth of the requests, or of half of a few',
    }),
    threshold: Duration.seconds(5).toMilliseconds(),
    evaluationPeriods: 3,
    whatGoesWrong: `One in a hundred requests to the ${name} API takes more than five seconds, or half of them if fewer than ${manyCalls} come in five minutes: callers give up and retry.`,
    runbook: 'an-api-is-slow',
    severity: 'ticket',
  });
}
