import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { ServiceAlarm, type Told } from './alarm.ts';
import { serviceKey } from './encryption.ts';
import { type Permission, variableOf } from './environments.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import { removalOf } from './stage.ts';

/**
 * An encrypted queue that accepts only TLS connections and keeps messages for 14 days. A scope can contain only one
 * such queue.
 */
const queueOf = (scope: Construct, props: sqs.QueueProps = {}): sqs.Queue =>
  new sqs.Queue(scope, 'Queue', {
    retentionPeriod: Duration.days(14),
    encryptionMasterKey: serviceKey(scope),
    enforceSSL: true,
    removalPolicy: removalOf(scope),
    ...props,
  });

/** Allows sending messages to a queue. The function gets the queue's URL in the environment variable `variable`. */
export const maySend = <Name extends string>(queue: sqs.IQueue, variable: Name): Permission<Name> => ({
  actions: ['sqs:SendMessage'],
  resources: [queue.queueArn],
  variables: variableOf(variable, queue.queueUrl),
});

/** A dead-letter queue. If `told` is given, an alarm goes off as soon as the queue contains a message. */
export class DeadLetterQueue extends Construct {
  readonly queue: sqs.Queue;

  constructor(scope: Construct, id: string, told?: Told) {
    super(scope, id);
    this.queue = queueOf(this);
    const reason = 'This is where messages go that nothing else could handle';
    acknowledge(this, { 'AwsSolutions-SQS3': reason, 'Serverless-SQSRedrivePolicy': reason });
    if (told === undefined) return;
    const metric = this.queue.metricApproximateNumberOfMessagesVisible();
    new ServiceAlarm(this, 'NotEmpty', { metric, ...told });
  }
}

/**
 * A queue of work. A scope can contain only one. A received message stays invisible for the visibility timeout, even if
 * its worker fails. After a thousand receives, SQS's maximum, the message moves to the dead-letter queue.
 */
export const workQueue = (
  scope: Construct,
  visibilityTimeout: Duration,
  { queue }: DeadLetterQueue,
): sqs.Queue => queueOf(scope, { visibilityTimeout, deadLetterQueue: { queue, maxReceiveCount: 1_000 } });

export interface ConsumeQueueProps extends Told, lambda.EventSourceMappingOptions {
  /**
   * How many batches can run at once: at least 2, and at most the worker's reserved concurrency. Without this limit,
   * Lambda would add 300 environments a minute to work off a backlog, until no concurrency is left for the functions
   * that serve callers.
   */
  readonly maxConcurrency: number;
  /** The alarm goes off when at least this many messages have been waiting for half an hour. */
  readonly waiting: number;
}

/** Makes a function consume a queue and report failures message by message. An alarm tells when it falls behind. */
export const consumeQueue = (
  scope: Construct,
  id: string,
  queue: sqs.IQueue,
  worker: MarqueeFunction,
  { waiting, whatGoesWrong, runbook, severity, ...options }: ConsumeQueueProps,
): void => {
  const actions = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'];
  worker.allow({ actions: actions.map((action) => `sqs:${action}`), resources: [queue.queueArn] });
  const mapping = new lambda.EventSourceMapping(scope, id, {
    target: worker.function,
    eventSourceArn: queue.queueArn,
    reportBatchItemFailures: true,
    ...options,
  });
  acknowledge(mapping, {
    'Serverless-LambdaEventSourceMappingDestination': 'The queue itself puts aside what keeps failing',
  });
  new ServiceAlarm(scope, 'Behind', {
    metric: queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Minimum' }),
    threshold: waiting,
    evaluationPeriods: 6,
    whatGoesWrong,
    runbook,
    severity,
  });
};
