import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type PublisherCode, toldKinds, toldStatuses } from '../../shared/platform/watched.ts';
import type { Applications } from '../platform/applications.ts';
import { alarmsOnCodes } from '../platform/constructs/function-alarms.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import type { MarqueeTable } from '../platform/constructs/marquee-table.ts';
import { DeadLetterQueue, maySend } from '../platform/constructs/queues.ts';
import { stageOf } from '../platform/constructs/stage.ts';
import { readStream, watchStreams } from '../platform/constructs/triggers.ts';
import type { NotificationRecord } from './notification-record.ts';
import type { NotificationTopic } from './notification-topic.ts';

/** Selects transactions that become confirmed or failed, of the kinds that customers are notified about. */
const decisions = lambda.FilterCriteria.filter({
  eventName: lambda.FilterRule.isEqual('MODIFY'),
  dynamodb: {
    OldImage: { status: { S: lambda.FilterRule.isEqual('pending') } },
    NewImage: {
      status: { S: lambda.FilterRule.or(...toldStatuses) },
      purpose: { M: { kind: { S: lambda.FilterRule.or(...toldKinds) } } },
    },
  },
});

export interface PublisherParts {
  readonly users: MarqueeTable;
  readonly subs: MarqueeTable<'SUBS_TABLE'>;
  readonly applications: Applications;
  /** The table of the transaction log. Its stream has new and old images. */
  readonly transactions: MarqueeTable;
  readonly record: NotificationRecord;
  readonly notifications: NotificationTopic;
}

/** Adds the function that publishes the changes of users and the outcomes of transactions. */
export function addChangePublisher(scope: Construct, parts: PublisherParts) {
  const { users, subs, applications, record, notifications, transactions } = parts;
  const failedChanges = new DeadLetterQueue(scope, 'FailedChanges', {
    whatGoesWrong:
      'Changes of users or events, or outcomes of transactions, could not be published: no customer was notified of them.',
    runbook: 'failed-changes',
    severity: 'page',
  });
  const { queue } = failedChanges;
  const publisher = new MarqueeFunction(scope, 'notifications/publish-changes', {
    description: 'Tells applications of changes of users and of outcomes on the chain',
    whatGoesWrong: 'Customers are notified late, or only after a redrive of the failed changes.',
    severity: 'page',
    timeout: Duration.seconds(60),
    reservedConcurrentExecutions: stageOf(scope).concurrency?.publisher,
    may: [
      subs.may('PutItem', 'Query', 'UpdateItem'),
      subs.mayOn(['ENDED#*'], 'ConditionCheckItem'),
      applications.list,
      record.readEndpoints,
      notifications.publish,
      maySend(queue, 'FAILED_CHANGES_QUEUE_URL'),
    ],
  });
  // The function itself quarantines records that fail. These retries are for a crash, or an unreachable topic or queue.
  const untilPublished = {
    parallelizationFactor: 10,
    bisectBatchOnError: true,
    retryAttempts: 500,
    maxRecordAge: Duration.hours(6),
    onFailure: { bind: () => ({ destination: queue.queueArn }) },
  };
  readStream(scope, 'Changes', users, publisher, untilPublished);
  readStream(scope, 'Decisions', transactions, publisher, { ...untilPublished, filters: [decisions] });
  watchStreams(scope, publisher, {
    whatGoesWrong: 'Customers are notified of changes minutes late, and not at all if this lasts for a day.',
    runbook: 'the-publisher-is-behind',
    severity: 'page',
  });
  // SNS has no metric for messages that it refuses, so the alarm counts the publisher's log lines.
  alarmsOnCodes<PublisherCode>(scope, [publisher], {
    TOPIC_UNAVAILABLE: {
      threshold: 10,
      evaluationPeriods: 2,
      whatGoesWrong:
        'SNS accepts notifications slowly or not at all: customers are notified of changes late.',
      runbook: 'the-topic-refuses',
      severity: 'page',
    },
  });
  return { publisher, failedChanges };
}
