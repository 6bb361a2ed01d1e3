import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import * as notifying from '../../shared/notifications/http/operations.ts';
import {
  getReplayOperation,
  startReplayOperation,
} from '../../shared/notifications/http/replay-operations.ts';
import * as operations from '../../shared/users/http/operations.ts';
import type { Nft } from '../nft/nft.ts';
import { addChangePublisher } from '../notifications/change-publisher.ts';
import { NotificationRecord, replaysTimeout } from '../notifications/notification-record.ts';
import { NotificationTopic } from '../notifications/notification-topic.ts';
import type { Applications } from '../platform/applications.ts';
import type { Permission } from '../platform/constructs/environments.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import { MarqueeTable } from '../platform/constructs/marquee-table.ts';
import { consumeQueue } from '../platform/constructs/queues.ts';
import { oidcEnvironment, stageOf } from '../platform/constructs/stage.ts';
import { Wallets } from '../wallets/wallets.ts';

/** Patterns of the partition keys of identifiers, which are stored once for each of the two ways to find them. */
const registrationKeys = ['REGISTRATION#*'];
const subKeys = ['SUB#*'];
const endedKeys = ['ENDED#*'];

/**
 * The part of the service for users' data: the profile and business-to-business APIs, and the notifications about
 * changes. The transaction log of the NFT area is passed in, because customers are also notified when a transaction is
 * confirmed or fails. The chain is passed in to verify signatures of wallets.
 */
export class UserData extends Construct {
  readonly users = new MarqueeTable(this, 'Users', 'USERS_TABLE', {
    keys: ['user_sub'],
    stream: StreamViewType.NEW_IMAGE,
    timeToLiveAttribute: 'expires_at',
  });
  /** Allows reading whether a user is registered, but not the user's data. */
  readonly readRegistration = {
    ...this.users.may('BatchGetItem'),
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['user_sub', 'registration_id', 'is_removed'] },
      // A request for all attributes lists none, so the condition above does not stop it. This condition does.
      StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    },
  };
  readonly subs = new MarqueeTable(this, 'ApplicationUserSubs', 'SUBS_TABLE', {
    keys: ['pk', 'sk'],
    timeToLiveAttribute: 'expires_at',
  });
  /** Allows finding the registrations of users by an application's identifiers. */
  readonly findSubs = this.subs.mayOn(subKeys, 'BatchGetItem');
  /** Allows finding an application's identifier for a user. */
  readonly findSub = this.subs.mayOn(registrationKeys, 'GetItem');
  readonly notifications = new NotificationTopic(this, 'Notifications');
  readonly record = new NotificationRecord(this, 'Record', this.notifications);
  readonly changes: ReturnType<typeof addChangePublisher>;
  readonly wallets: Wallets;
  private readonly requestReplay = this.addReplays(this.record.replays.scope);
  readonly replaysQueueUrl = this.requestReplay.variables.REPLAYS_QUEUE_URL;

  constructor(scope: Construct, id: string, applications: Applications, { tables, chain }: Nft) {
    super(scope, id);
    const { users, subs, notifications, record } = this;
    this.addNotificationCalls(applications, this.requestReplay);
    const { transactions } = tables;
    const parts = { users, subs, applications, transactions, record, notifications };
    this.changes = addChangePublisher(new Construct(this, 'Publisher'), parts);
    this.wallets = new Wallets(this, 'Wallets', applications, chain, users, this.readRegistration);
    this.addProfileCalls(applications);
    this.addCustomerCalls(applications);
  }

  /** Adds the function that sends notifications again for customers. Returns the permission to request a replay. */
  private addReplays(scope: Construct): Permission<'REPLAYS_QUEUE_URL'> {
    const { notifications, record } = this;
    const { concurrency } = stageOf(this);
    const { queue, request } = record.replays;
    const worker = new MarqueeFunction(scope, 'notifications/run-replays', {
      description: 'Sends again what customers ask for',
      whatGoesWrong: 'Replays that customers requested run late.',
      severity: 'ticket',
      timeout: replaysTimeout,
      reservedConcurrentExecutions: concurrency?.replays,
      environment: { ...request.variables, ...record.redelivery },
      may: [...record.replay, notifications.publish],
    });
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
  private addNotificationCalls(
    applications: Applications,
    requestReplay: Permission<'REPLAYS_QUEUE_URL'>,
  ): void {
    const calls = new Construct(this, 'NotificationCalls');
    const { notifications, record } = this;
    new MarqueeFunction(calls, 'notifications/show-notifications', {
      serves: [notifying.listNotificationsOperation, notifying.listEndpointsOperation, getReplayOperation],
      description: 'Shows applications their notifications and the state of their endpoints',
      may: [applications.read, applications.cursors, ...record.show, notifications.listSubscriptions],
    });
    new MarqueeFunction(calls, 'notifications/send-notifications', {
      serves: [startReplayOperation, notifying.sendTestOperation],
      description: "Sends tests to an application's endpoints, and has notifications sent again",
      may: [
        applications.read,
        ...record.send,
        notifications.listSubscriptions,
        notifications.publish,
        requestReplay,
      ],
    });
  }

  private addProfileCalls(applications: Applications): void {
    const { users, subs, readRegistration } = this;
    const environment = oidcEnvironment(this);
    const { readOnlyKeys, changesPerHour } = stageOf(this).userData;
    const linkSub = [
      applications.read,
      subs.mayOn(registrationKeys, 'GetItem', 'UpdateItem'),
      subs.mayOn([...registrationKeys, ...subKeys], 'PutItem'),
      subs.mayOn(endedKeys, 'ConditionCheckItem'),
    ] as const;
    new MarqueeFunction(this, 'users/put-user-data', {
      serves: [operations.putUserDataOperation],
      environment: {
        ...environment,
        READ_ONLY_KEYS: JSON.stringify(readOnlyKeys),
        CHANGES_PER_HOUR: String(changesPerHour),
      },
      may: [...linkSub, users.may('GetItem', 'PutItem', 'UpdateItem')],
    });
    new MarqueeFunction(this, 'users/get-user-data', {
      serves: [operations.getUserDataOperation],
      environment,
      may: [users.may('GetItem')],
    });
    new MarqueeFunction(this, 'users/get-application-user-sub', {
      serves: [operations.getApplicationUserSubOperation, operations.postApplicationUserSubOperation],
      environment,
      // `GetItem` is for the release before, whose function runs with this role for a moment during a deployment.
      may: [...linkSub, readRegistration, users.may('GetItem')],
    });
  }

  private addCustomerCalls(applications: Applications): void {
    const { users, subs, readRegistration } = this;
    new MarqueeFunction(this, 'users/exchange-user-subs', {
      serves: [operations.exchangeUserSubsOperation],
      may: [
        applications.read,
        readRegistration,
        subs.mayOn([...registrationKeys, ...subKeys], 'BatchGetItem', 'PutItem'),
        subs.mayOn(registrationKeys, 'GetItem'),
        subs.mayOn(endedKeys, 'ConditionCheckItem'),
      ],
    });
    new MarqueeFunction(this, 'users/read-user-data', {
      serves: [operations.readUserDataOperation, operations.readUserDataBatchOperation],
      description: 'Gives an application the data of one of its users, or of up to a hundred',
      may: [
        applications.read,
        users.may('BatchGetItem', 'GetItem'),
        subs.mayOn(subKeys, 'BatchGetItem', 'GetItem'),
      ],
    });
  }
}
