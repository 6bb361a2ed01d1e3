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
  /** How long a message stays invisible that a worker is processing or failed to finish. */
  readonly visibilityTimeout: Duration;
  /** Up to a thousand receives, SQS's maximum. */
  readonly unfinished: sqs.IQueue;
}

/** The scope's one work queue: kept for 14 days, encrypted, TLS only. */
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

export interface ConsumeQueueProps {
  readonly stage: StageConfig;
  readonly queue: sqs.IQueue;
  readonly worker: MarqueeFunction;
  readonly batchSize: number;
  /** How many batches run at once: at least 2, and at most the worker's reserved concurrency. */
  readonly maxConcurrency: number;
  /** How long messages are gathered for a batch. @default none */
  readonly batchingWindow?: Duration;
  /** The alarm goes off when so many messages wait for half an hour. */
  readonly waiting: number;
  /** What is wrong then, and for whom. */
  readonly whatGoesWrong: string;
  /** The section of docs/runbook.md that says what to do. */
  readonly runbook: string;
}

/**
 * Lets a function consume a scope's queue, reporting failures message by message, with an alarm when it falls behind.
 */
export const consumeQueue = (
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
  }: ConsumeQueueProps,
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
    // Without it, a backlog takes 300 more environments each minute and leaves none for the account's callers.
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
