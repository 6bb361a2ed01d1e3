import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from './alarm.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import type { MarqueeTable } from './marquee-table.ts';

export interface ReadStreamProps extends Omit<lambda.EventSourceMappingOptions, 'eventSourceArn'> {
  readonly table: MarqueeTable;
  readonly reader: MarqueeFunction;
}

/** Has a function read a table's stream from its oldest record on, and report failures record by record. */
export const readStream = (
  scope: Construct,
  id: string,
  { table, reader, ...options }: ReadStreamProps,
): lambda.EventSourceMapping =>
  new lambda.EventSourceMapping(scope, id, {
    target: reader.function,
    eventSourceArn: table.grantStream(reader),
    startingPosition: lambda.StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    reportBatchItemFailures: true,
    ...options,
  });

/** An alarm for when a function is minutes behind the streams that it reads. */
export const watchStreams = (
  scope: Construct,
  reader: MarqueeFunction,
  told: { readonly stage: StageConfig; readonly whatGoesWrong: string; readonly runbook: string },
): void => {
  new ServiceAlarm(scope, 'Behind', {
    metric: reader.function.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(1) }),
    threshold: Duration.minutes(2).toMilliseconds(),
    evaluationPeriods: 3,
    ...told,
  });
};
