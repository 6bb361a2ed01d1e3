import { Construct } from 'constructs';
import * as notifying from '../../shared/notifications/http/operations.ts';
import {
  getReplayOperation,
  startReplayOperation,
} from '../../shared/notifications/http/replay-operations.ts';
import * as operations from '../../shared/users/http/operations.ts';
import type { Applications } from '../applications.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';
import { ServiceApi } from '../constructs/service-api.ts';
import { oidcEnvironment, stageOf } from '../constructs/stage.ts';
import type { Nft } from '../nft/nft.ts';
import { ChangePublisher } from './change-publisher.ts';
import { NotificationRecord } from './notification-record.ts';
import { NotificationReplays } from './notification-replays.ts';
import { NotificationTopic } from './notification-topic.ts';
import { UsersTable } from './users-table.ts';
import { Wallets } from './wallets.ts';

export interface UserDataProps {
  readonly applications: Applications;
  /** Its log's decisions are published like changes of users, and its chain is asked about wallets. */
  readonly nft: Nft;
}

/** Users' data: the profile and business-to-business calls, and the notifications about changes. */
export class UserData extends Construct {
  readonly users = new UsersTable(this, 'Users');
  readonly subs = new MarqueeTable(this, 'ApplicationUserSubs', 'SUBS_TABLE', {
    keys: ['pk', 'sk'],
    expiresAt: 'expires_at',
  });
  readonly notifications = new NotificationTopic(this, 'Notifications');
  readonly record = new NotificationRecord(this, 'Record', this.notifications);
  readonly changes: ChangePublisher;
  readonly wallets: Wallets;

  constructor(scope: Construct, id: string, { applications, nft }: UserDataProps) {
    super(scope, id);
    const { users, subs, notifications, record } = this;
    const replays = new NotificationReplays(this, 'Replays', { notifications, record });
    this.addNotificationCalls(applications, replays);
    const { transactions } = nft.tables;
    const read = { users, subs, applications, transactions };
    this.changes = new ChangePublisher(this, 'Publisher', { ...read, record, notifications });
    this.wallets = new Wallets(this, 'Wallets', { applications, users, chain: nft.chain });
    this.addProfileCalls(applications);
    this.addCustomerCalls(applications);
  }

  /**
   * The calls by which customers see their notifications and have them sent again. One function shows, the other sends.
   */
  private addNotificationCalls(applications: Applications, replays: NotificationReplays): void {
    const calls = new Construct(this, 'NotificationCalls');
    const { notifications, record } = this;
    new MarqueeFunction(calls, 'notifications/show-notifications', {
      serves: [notifying.listNotificationsOperation, notifying.listEndpointsOperation, getReplayOperation],
      description: 'Shows applications what was sent to them, and how their endpoints fare',
      environment: { PUBLIC_BASE_URL: ServiceApi.of(this, 'b2b').baseUrl },
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
        replays.request,
      ],
    });
  }

  private addProfileCalls(applications: Applications): void {
    const { users, subs } = this;
    const environment = oidcEnvironment(this);
    const linkSub = [applications.read, subs.may('GetItem', 'PutItem', 'UpdateItem')] as const;
    new MarqueeFunction(this, 'users/put-user-data', {
      serves: [operations.putUserDataOperation],
      environment: { ...environment, READ_ONLY_KEYS: JSON.stringify(stageOf(this).userData.readOnlyKeys) },
      may: [...linkSub, users.may('GetItem', 'PutItem')],
    });
    new MarqueeFunction(this, 'users/get-user-data', {
      serves: [operations.getUserDataOperation],
      environment,
      may: [users.may('GetItem')],
    });
    new MarqueeFunction(this, 'users/get-application-user-sub', {
      serves: [operations.getApplicationUserSubOperation, operations.postApplicationUserSubOperation],
      environment,
      may: [...linkSub, users.may('GetItem')],
    });
  }

  private addCustomerCalls(applications: Applications): void {
    const { users, subs } = this;
    new MarqueeFunction(this, 'users/exchange-user-subs', {
      serves: [operations.exchangeUserSubsOperation],
      may: [applications.read, users.readRegistration, subs.may('BatchGetItem', 'GetItem', 'PutItem')],
    });
    new MarqueeFunction(this, 'users/read-user-data', {
      serves: [operations.readUserDataOperation],
      may: [applications.read, users.may('GetItem'), subs.may('GetItem')],
    });
    new MarqueeFunction(this, 'users/read-user-data-batch', {
      serves: [operations.readUserDataBatchOperation],
      may: [applications.read, users.may('BatchGetItem'), subs.may('BatchGetItem')],
    });
  }
}
