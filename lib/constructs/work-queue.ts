import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { acknowledge } from './acknowledge.ts';
import { ServiceAlarm } from './alarm.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import { removalOf } from './removal.ts';
import { ServiceKey } from './service-key.ts';

export interface WorkQueueProps {
  readonly stage: StageConfig;
  /** How long a message stays away that a worker has, or had and did not finish. */
  readonly visibilityTimeout: Duration;
  /** Takes what was received a thousand times, the most that SQS lets a queue have. */
  readonly unfinished: sqs.IQueue;
}

/** A scope's one queue of work: kept for 14 days, encrypted, TLS only. */
export const workQueue = (
  scope: Construct,
  { stage, visibilityTimeout, unfinished }: WorkQueueProps,
): sqs.Queue =>
  new sqs.Queue(scope, 'Queue', {
    retentionPeriod: Duration.days(14),
    visibilityTimeout,
    encryption: sqs.QueueEncryption.KMS,
    encryptionMasterKey: ServiceKey.of(scope, stage),
    enforceSSL: true,
    deadLetterQueue: { queue: unfinished, maxReceiveCount: 1_000 },
    removalPolicy: removalOf(stage),
  });

export interface WorkOffProps {
  readonly stage: StageConfig;
  readonly queue: sqs.IQueue;
  readonly worker: MarqueeFunction;
  readonly batchSize: number;
  /** How many batches are at work at once: at least 2, and no more than the worker has environments reserved. */
  readonly maxConcurrency: number;
  /** For so long messages are gathered for a batch. @default none */
  readonly batchingWindow?: Duration;
  /** The alarm goes off when so many messages wait for half an hour. */
  readonly waiting: number;
  /** What is wrong then, and for whom. */
  readonly whatGoesWrong: string;
  /** The section of docs/runbook.md that says what to do. */
  readonly runbook: string;
}

/** Has a function work off a scope's queue, messages that fail one by one, and says when it falls behind. */
export const workOff = (
  scope: Construct,
  id: string,
  {
    stage,
    queue,
    worker,
    batchSize,
    maxConcurrency,
    batchingWindow,
    waiting,
    whatGoesWrong,
    runbook,
  }: WorkOffProps,
): void => {
  worker.allow({
    actions: [
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
    ],
    resources: [queue.queueArn],
  });
  const mapping = new lambda.EventSourceMapping(scope, id, {
    target: worker.function,
    eventSourceArn: queue.queueArn,
    batchSize,
    // Without it a backlog takes 300 environments more each minute, and leaves the account's callers none.
    maxConcurrency,
    ...(batchingWindow && { maxBatchingWindow: batchingWindow }),
    reportBatchItemFailures: true,
  });
  acknowledge(mapping, {
    'Serverless-LambdaEventSourceMappingDestination': 'The queue itself puts aside what keeps failing',
  });
  new ServiceAlarm(scope, 'Behind', {
    stage,
    metric: queue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(5),
      statistic: 'Minimum',
    }),
    threshold: waiting,
    evaluationPeriods: 6,
    whatGoesWrong,
    runbook,
  });
};
