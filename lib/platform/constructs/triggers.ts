import { Duration, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import * as events from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { ServiceAlarm, sumOf, type Told } from './alarm.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import type { MarqueeTable } from './marquee-table.ts';

/** Runs a function on a schedule. Each run also does the work that earlier runs could not do. */
export const schedule = (
  scope: Construct,
  id: string,
  runs: MarqueeFunction,
  every: Duration,
  description: string,
): void => {
  const rule = new events.Rule(scope, id, {
    description,
    schedule: events.Schedule.rate(every),
    targets: [new LambdaFunction(runs.function, { retryAttempts: 2 })],
  });
  acknowledge(rule, { 'Serverless-EventBusDLQ': 'The next run does what this one could not' });
};

/** Adds an alarm on the rules of all schedules in the stack. */
export function watchSchedules(scope: Construct): void {
  const rules = Stack.of(scope)
    .node.findAll()
    .filter((each) => each instanceof events.Rule);
  const metrics = rules.map(
    ({ ruleName: RuleName }) =>
      new Metric({
        namespace: 'AWS/Events',
        metricName: 'FailedInvocations',
        dimensionsMap: { RuleName },
        statistic: 'Sum',
      }),
  );
  new ServiceAlarm(scope, 'Fail', {
    metric: sumOf('runs that could not be started', metrics),
    whatGoesWrong:
      'A schedule cannot invoke its function: a waiter that ends is not started again, endpoints that fail for days are not found, or scheduled statuses are not stored.',
    runbook: 'a-schedule-fails',
    severity: 'page',
  });
}

/** Makes a function read a table's stream from the oldest record on, and report failures record by record. */
export const readStream = (
  scope: Construct,
  id: string,
  table: MarqueeTable,
  reader: MarqueeFunction,
  options: lambda.EventSourceMappingOptions,
): lambda.EventSourceMapping =>
  new lambda.EventSourceMapping(scope, id, {
    target: reader.function,
    eventSourceArn: table.grantStream(reader),
    startingPosition: lambda.StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    reportBatchItemFailures: true,
    ...options,
  });

/** Adds an alarm that goes off when the function has fallen minutes behind the streams that it reads. */
export const watchStreams = (scope: Construct, { function: reader }: MarqueeFunction, told: Told): void => {
  new ServiceAlarm(scope, 'Behind', {
    metric: reader.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(1) }),
    threshold: Duration.minutes(2).toMilliseconds(),
    evaluationPeriods: 3,
    ...told,
  });
};
