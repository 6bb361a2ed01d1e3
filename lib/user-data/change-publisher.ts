import { Duration, Stack } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { type PublisherCode, toldKinds } from '../../shared/watched.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceAlarm } from '../constructs/alarm.ts';
import { alarmsOnCodes, type WatchedCode } from '../constructs/alarm-on-code.ts';
import { LastResortQueue } from '../constructs/last-resort-queue.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { MarqueeTable } from '../constructs/marquee-table.ts';
import type { NotificationTopic } from './notification-topic.ts';

/** SNS counts no refusals, but the publisher logs them. */
const refusals = {
  TOPIC_UNAVAILABLE: {
    name: 'TopicUnavailable',
    threshold: 10,
    periods: 2,
    whatGoesWrong: 'SNS accepts notifications slowly or not at all: customers are notified of changes late.',
    runbook: 'the-topic-refuses',
  },
} satisfies Record<PublisherCode, WatchedCode>;

/** Entries of the transaction log at their decision, for the kinds that customers are told about. */
const decisions = {
  eventName: lambda.FilterRule.isEqual('MODIFY'),
  dynamodb: {
    OldImage: { status: { S: lambda.FilterRule.isEqual('pending') } },
    NewImage: {
      status: { S: lambda.FilterRule.or('confirmed', 'failed') },
      purpose: { M: { kind: { S: lambda.FilterRule.or(...toldKinds) } } },
    },
  },
};

export interface ChangePublisherProps {
  readonly stage: StageConfig;
  /** With a stream of new images. */
  readonly users: MarqueeTable;
  readonly subs: MarqueeTable;
  readonly applications: MarqueeTable;
  readonly endpoints: MarqueeTable;
  readonly notifications: NotificationTopic;
  /** With a stream of new and old images. */
  readonly transactions: MarqueeTable;
}

/**
 * Publishes every change in the users table's stream, and the decisions in the transaction log's stream that customers
 * subscribed to.
 */
export class ChangePublisher extends Construct {
  readonly publisher: MarqueeFunction;
  /** What could not be published. */
  readonly failedChanges: LastResortQueue;

  constructor(scope: Construct, id: string, props: ChangePublisherProps) {
    super(scope, id);
    const { stage, subs, applications, endpoints, notifications } = props;
    this.failedChanges = new LastResortQueue(this, 'FailedChanges', {
      stage,
      whatGoesWrong: 'Changes of users could not be published: no customer was notified of them.',
      runbook: 'failed-changes',
    });
    const { queue } = this.failedChanges;
    this.publisher = new MarqueeFunction(this, 'PublishChanges', {
      stage,
      entry: 'users/publish-changes',
      description: 'Tells every application of the changes of users',
      whatGoesWrong:
        'Customers are notified of changes of users late, or only after a redrive of the failed changes.',
      timeout: Duration.seconds(60),
      reservedConcurrentExecutions: stage.concurrency?.publisher,
      environment: {
        SUBS_TABLE: subs.tableName,
        APPLICATIONS_TABLE: applications.tableName,
        ENDPOINTS_TABLE: endpoints.tableName,
        TOPIC_ARN: notifications.topic.topicArn,
        FAILED_CHANGES_QUEUE_URL: queue.queueUrl,
      },
    });
    this.publisher.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
      resources: [subs.tableArn],
    });
    this.publisher.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:Scan'],
      resources: [applications.tableArn],
    });
    this.publisher.allow({ actions: ['dynamodb:Query'], resources: [endpoints.tableArn] });
    this.publisher.allow({ actions: ['sns:Publish'], resources: [notifications.topic.topicArn] });
    this.publisher.allow({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
    this.readStream('Changes', props.users, { parallelizationFactor: 10 });
    // A record is a transaction and may concern up to 95 tokens.
    this.readStream('Decisions', props.transactions, {
      parallelizationFactor: 10,
      filters: [lambda.FilterCriteria.filter(decisions)],
    });
    new ServiceAlarm(this, 'Behind', {
      stage,
      metric: this.publisher.function.metric('IteratorAge', {
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: Duration.minutes(2).toMilliseconds(),
      evaluationPeriods: 3,
      whatGoesWrong:
        'Customers are notified of changes minutes late, and not at all if this lasts for a day.',
      runbook: 'the-publisher-is-behind',
    });
    alarmsOnCodes(this, { stage, callers: [this.publisher], watched: refusals });
  }

  /**
   * The function itself quarantines single failures. Retries, bisecting and the destination are for times when the
   * topic or the queue is out of reach, or the function crashes.
   */
  private readStream(
    id: string,
    { table, tableArn }: MarqueeTable,
    options: Pick<lambda.EventSourceMappingOptions, 'parallelizationFactor' | 'filters'>,
  ): void {
    const { tableStreamArn } = table;
    if (tableStreamArn === undefined) throw new Error(`${table.node.path} has no stream`);
    this.publisher.allow({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    });
    this.publisher.allow({
      actions: ['dynamodb:ListStreams'],
      resources: [`${tableArn}/stream/*`],
    });
    const tableId = Stack.of(this).resolve(tableArn)['Fn::GetAtt'][0];
    acknowledge(this, {
      [`AwsSolutions-IAM5[Resource::<${tableId}.Arn>/stream/*]`]:
        'Lambda lists the streams of this one table, whose names are times',
    });
    new lambda.EventSourceMapping(this, id, {
      target: this.publisher.function,
      eventSourceArn: tableStreamArn,
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      ...options,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 500,
      maxRecordAge: Duration.hours(6),
      onFailure: { bind: () => ({ destination: this.failedChanges.queue.queueArn }) },
    });
  }
}
