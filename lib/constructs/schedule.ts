import type { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { MarqueeFunction } from './marquee-function.ts';

export interface ScheduleProps {
  readonly every: Duration;
  readonly runs: MarqueeFunction;
  readonly description: string;
}

/** Runs a function again and again; each run does what an earlier one could not. */
export const schedule = (scope: Construct, id: string, { every, runs, description }: ScheduleProps): void => {
  const rule = new events.Rule(scope, id, {
    description,
    schedule: events.Schedule.rate(every),
    targets: [new LambdaFunction(runs.function, { retryAttempts: 2 })],
  });
  acknowledge(rule, { 'Serverless-EventBusDLQ': 'The next run does what this one could not' });
};
