import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { type PublisherCode, toldKinds } from '../../shared/watched.ts';
import type { Applications } from '../applications.ts';
import { alarmsOnCodes, type WatchedCode } from '../constructs/alarm-on-code.ts';
import { DeadLetterQueue } from '../constructs/dead-letter-queue.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { MarqueeTable } from '../constructs/marquee-table.ts';
import { readStream, watchStreams } from '../constructs/table-stream.ts';
import type { NotificationRecord } from './notification-record.ts';
import type { NotificationTopic } from './notification-topic.ts';
import type { UsersTable } from './users-table.ts';

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
  readonly users: UsersTable;
  readonly subs: MarqueeTable;
  readonly applications: Applications;
  readonly record: NotificationRecord;
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
  readonly failedChanges: DeadLetterQueue;

  constructor(scope: Construct, id: string, props: ChangePublisherProps) {
    super(scope, id);
    const { stage, users, subs, applications, record, notifications, transactions } = props;
    this.failedChanges = new DeadLetterQueue(this, 'FailedChanges', {
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
        ...applications.environment,
        ...notifications.environment,
        SUBS_TABLE: subs.tableName,
        ENDPOINTS_TABLE: record.environment.ENDPOINTS_TABLE,
        FAILED_CHANGES_QUEUE_URL: queue.queueUrl,
      },
    });
    const { publisher } = this;
    subs.grant(publisher, ['GetItem', 'PutItem', 'Query', 'UpdateItem']);
    applications.grantList(publisher);
    record.grantReadEndpoints(publisher);
    notifications.grantPublish(publisher);
    publisher.allow({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
    // The function itself quarantines single failures. This is for times when the topic or the queue is out of reach,
    // or the function crashes.
    const untilPublished = {
      reader: publisher,
      parallelizationFactor: 10,
      bisectBatchOnError: true,
      retryAttempts: 500,
      maxRecordAge: Duration.hours(6),
      onFailure: { bind: () => ({ destination: queue.queueArn }) },
    };
    readStream(this, 'Changes', { ...untilPublished, table: users });
    // A record is a transaction and may concern up to 95 tokens.
    readStream(this, 'Decisions', {
      ...untilPublished,
      table: transactions,
      filters: [lambda.FilterCriteria.filter(decisions)],
    });
    watchStreams(this, publisher, {
      stage,
      whatGoesWrong:
        'Customers are notified of changes minutes late, and not at all if this lasts for a day.',
      runbook: 'the-publisher-is-behind',
    });
    alarmsOnCodes(this, { stage, callers: [publisher], watched: refusals });
  }
}
