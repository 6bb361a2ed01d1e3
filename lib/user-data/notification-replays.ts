import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Permission } from '../constructs/environments.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { consumeQueue, maySend, workQueue } from '../constructs/queues.ts';
import { stageOf } from '../constructs/stage.ts';
import type { NotificationRecord } from './notification-record.ts';
import type { NotificationTopic } from './notification-topic.ts';

const timeout = Duration.minutes(1);

export interface NotificationReplaysProps {
  readonly notifications: NotificationTopic;
  readonly record: NotificationRecord;
}

/** Sends customers' notifications again on request. */
export class NotificationReplays extends Construct {
  /** Allows putting a requested replay into the queue. */
  readonly request: Permission<'REPLAYS_QUEUE_URL'>;

  constructor(scope: Construct, id: string, { notifications, record }: NotificationReplaysProps) {
    super(scope, id);
    // A long replay is received many times, each time for a part of its work.
    const queue = workQueue(this, Duration.seconds(6 * timeout.toSeconds()), record.unfinished);
    this.request = maySend(queue, 'REPLAYS_QUEUE_URL');
    const { concurrency } = stageOf(this);
    const worker = new MarqueeFunction(this, 'notifications/run-replays', {
      description: 'Sends again what customers ask for',
      whatGoesWrong: 'Replays that customers requested run late.',
      timeout,
      reservedConcurrentExecutions: concurrency?.replays,
      environment: this.request.variables,
      may: [...record.replay, notifications.publish],
    });
    consumeQueue(this, 'Replaying', {
      queue,
      worker,
      batchSize: 1,
      maxConcurrency: concurrency?.replays ?? 2,
      waiting: 10,
      whatGoesWrong: 'Replays that customers requested have waited for half an hour.',
      runbook: 'replays-wait',
    });
  }
}
