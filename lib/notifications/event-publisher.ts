import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { eventMessagesPerSecond } from '../../config/concurrency.ts';
import type { Applications } from '../platform/applications.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import type { MarqueeTable } from '../platform/constructs/marquee-table.ts';
import { type DeadLetterQueue, maySend } from '../platform/constructs/queues.ts';
import { stageOf } from '../platform/constructs/stage.ts';
import { readStream, watchStreams } from '../platform/constructs/triggers.ts';
import type { NotificationRecord } from './notification-record.ts';
import type { NotificationTopic } from './notification-topic.ts';

/** Selects the events' own items. The table also has their categories, histories and paths, and void tokens. */
const ofEvents = lambda.FilterCriteria.filter({
  dynamodb: { Keys: { pk: { S: lambda.FilterRule.beginsWith('EVENT#') } } },
});

export interface EventPublisherParts {
  /** The catalogue. Its stream has new and old images. */
  readonly events: MarqueeTable;
  readonly applications: Applications;
  readonly record: NotificationRecord;
  readonly notifications: NotificationTopic;
  readonly failedChanges: DeadLetterQueue;
}

/**
 * Adds the function that publishes the changes of events. It shares no environment with the publisher of users, so an
 * import of a catalogue does not delay the changes of users.
 */
export function addEventPublisher(
  scope: Construct,
  { events, applications, record, notifications, failedChanges: { queue } }: EventPublisherParts,
): MarqueeFunction {
  const publisher = new MarqueeFunction(scope, 'notifications/publish-events', {
    description: 'Tells applications of changes of events',
    whatGoesWrong:
      'Customers are notified of changes of events late, or only after a redrive of the failed changes.',
    severity: 'page',
    // For up to ten events of a batch, each application gets a message about each event. There may be a thousand
    // applications.
    timeout: Duration.minutes(5),
    memorySize: 1024,
    reservedConcurrentExecutions: stageOf(scope).concurrency?.eventPublisher,
    environment: { MESSAGES_PER_SECOND: String(eventMessagesPerSecond) },
    may: [
      applications.list,
      record.listEndpoints,
      notifications.publish,
      maySend(queue, 'FAILED_CHANGES_QUEUE_URL'),
    ],
  });
  readStream(scope, 'Changes', events, publisher, {
    filters: [ofEvents],
    // The more changes a batch has, the fewer messages an import of a catalogue publishes.
    batchSize: 1_000,
    maxBatchingWindow: Duration.seconds(1),
    bisectBatchOnError: true,
    retryAttempts: 500,
    maxRecordAge: Duration.hours(6),
    onFailure: { bind: () => ({ destination: queue.queueArn }) },
  });
  watchStreams(scope, publisher, {
    whatGoesWrong:
      'Customers are notified of changes of events minutes late, and not at all if this lasts for a day.',
    runbook: 'the-publisher-is-behind',
    severity: 'page',
  });
  return publisher;
}
