import { Construct } from 'constructs';
import * as operations from '../../shared/notifications/http/operations.ts';
import type { Applications } from '../platform/applications.ts';
import type { Permission } from '../platform/constructs/environments.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import type { MarqueeTable } from '../platform/constructs/marquee-table.ts';
import { consumeQueue } from '../platform/constructs/queues.ts';
import { stageOf } from '../platform/constructs/stage.ts';
import { addChangePublisher } from './change-publisher.ts';
import { NotificationRecord, replaysTimeout } from './notification-record.ts';
import { NotificationTopic } from './notification-topic.ts';

interface NotificationsParts {
  readonly applications: Applications;
  readonly users: MarqueeTable;
  readonly subs: MarqueeTable<'SUBS_TABLE'>;
  /** The transaction log. Customers are also notified when a transaction is confirmed or fails. */
  readonly transactions: MarqueeTable;
}

/**
 * What customers are notified of, the record of it, and the calls with which they read notifications and have them sent
 * again. The publisher of events is added later, by `addEventPublisher`.
 */
export class Notifications {
  readonly topic: NotificationTopic;
  readonly record: NotificationRecord;
  readonly changes: ReturnType<typeof addChangePublisher>;
  readonly replaysQueueUrl: string;

  /** @param scope the construct of the users' data. The ids of the deployed topic and tables begin with its id. */
  constructor(scope: Construct, { applications, users, subs, transactions }: NotificationsParts) {
    this.topic = new NotificationTopic(scope, 'Notifications');
    this.record = new NotificationRecord(scope, 'Record', this.topic);
    const { topic, record } = this;
    const requestReplay = this.addReplays(record.replays.scope);
    this.replaysQueueUrl = requestReplay.variables.REPLAYS_QUEUE_URL;
    this.addCalls(new Construct(scope, 'NotificationCalls'), applications, requestReplay);
    const parts = { users, subs, applications, transactions, record, notifications: topic };
    this.changes = addChangePublisher(new Construct(scope, 'Publisher'), parts);
  }

  /** Adds the function that sends notifications again for customers. Returns the permission to request a replay. */
  private addReplays(scope: Construct): Permission<'REPLAYS_QUEUE_URL'> {
    const { topic, record } = this;
    const { concurrency } = stageOf(scope);
    const { queue, request } = record.replays;
    const worker = new MarqueeFunction(scope, 'notifications/run-replays', {
      description: 'Sends again what customers ask for',
      whatGoesWrong: 'Replays that customers requested run late.',
      severity: 'ticket',
      timeout: replaysTimeout,
      reservedConcurrentExecutions: concurrency?.replays,
      environment: { ...request.variables, ...record.redelivery },
      may: [...record.replay, topic.publish],
    });
    record.watchRedelivery(worker);
    consumeQueue(scope, 'Replaying', queue, worker, {
      batchSize: 1,
      maxConcurrency: concurrency?.replays ?? 2,
      waiting: 10,
      whatGoesWrong: 'Replays that customers requested have waited for half an hour.',
      runbook: 'replays-wait',
      severity: 'ticket',
    });
    return request;
  }

  /**
   * Adds the calls with which customers read their notifications and have notifications sent again. One function serves
   * the reads, and another serves the rest.
   */
  private addCalls(
    calls: Construct,
    applications: Applications,
    requestReplay: Permission<'REPLAYS_QUEUE_URL'>,
  ): void {
    const { topic, record } = this;
    new MarqueeFunction(calls, 'notifications/show-notifications', {
      serves: [
        operations.listNotificationsOperation,
        operations.listEndpointsOperation,
        operations.getReplayOperation,
      ],
      description: 'Shows applications their notifications and the state of their endpoints',
      may: [applications.read, applications.cursors, ...record.show, topic.listSubscriptions],
    });
    new MarqueeFunction(calls, 'notifications/send-notifications', {
      serves: [operations.startReplayOperation, operations.sendTestOperation],
      description: "Sends tests to an application's endpoints, and has notifications sent again",
      may: [applications.read, ...record.send, topic.listSubscriptions, topic.publish, requestReplay],
    });
  }
}
