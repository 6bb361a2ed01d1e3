import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceAlarm } from '../constructs/alarm.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { removalOf } from '../constructs/removal.ts';
import { ServiceKey } from '../constructs/service-key.ts';
import type { NotificationRecord } from './notification-record.ts';
import type { NotificationTopic } from './notification-topic.ts';

export interface NotificationReplaysProps {
  readonly stage: StageConfig;
  readonly notifications: NotificationTopic;
  readonly record: NotificationRecord;
}

/** Sends again what customers ask for. */
export class NotificationReplays extends Construct {
  readonly queue: sqs.Queue;

  constructor(scope: Construct, id: string, { stage, notifications, record }: NotificationReplaysProps) {
    super(scope, id);
    const timeout = Duration.minutes(1);
    this.queue = new sqs.Queue(this, 'Queue', {
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      encryption: sqs.QueueEncryption.KMS,
      encryptionMasterKey: ServiceKey.of(this, stage),
      enforceSSL: true,
      // The most that SQS takes: a long replay is received again and again.
      deadLetterQueue: { queue: record.unfinished.queue, maxReceiveCount: 1_000 },
      removalPolicy: removalOf(stage),
    });
    const worker = new MarqueeFunction(this, 'RunReplays', {
      stage,
      entry: 'notifications/run-replays',
      description: 'Sends again what customers ask for',
      whatGoesWrong: 'What customers have asked to be sent again is sent late.',
      timeout,
      environment: {
        NOTIFICATIONS_TABLE: record.notifications.tableName,
        ENDPOINTS_TABLE: record.endpoints.tableName,
        TOPIC_ARN: notifications.topic.topicArn,
        REPLAYS_QUEUE_URL: this.queue.queueUrl,
      },
    });
    worker.allow({
      actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      resources: [record.notifications.tableArn],
    });
    worker.allow({
      actions: ['dynamodb:Query'],
      resources: [
        record.endpoints.tableArn,
        record.notifications.tableArn,
        record.notifications.indexArn('by-application'),
        record.notifications.indexArn('by-subject'),
      ],
    });
    worker.allow({ actions: ['sns:Publish'], resources: [notifications.topic.topicArn] });
    worker.allow({
      actions: [
        'sqs:ChangeMessageVisibility',
        'sqs:DeleteMessage',
        'sqs:GetQueueAttributes',
        'sqs:ReceiveMessage',
      ],
      resources: [this.queue.queueArn],
    });
    const replaying = new lambda.EventSourceMapping(this, 'Replaying', {
      target: worker.function,
      eventSourceArn: this.queue.queueArn,
      batchSize: 1,
      reportBatchItemFailures: true,
    });
    acknowledge(replaying, {
      'Serverless-LambdaEventSourceMappingDestination': 'The queue itself puts aside what keeps failing',
    });
    new ServiceAlarm(this, 'Behind', {
      stage,
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(5),
        statistic: 'Minimum',
      }),
      threshold: 10,
      evaluationPeriods: 6,
      whatGoesWrong: 'What customers have asked to be sent again waits for half an hour.',
      runbook: 'replays-wait',
    });
  }
}
