import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import * as operations from '../../shared/users/http/operations.ts';
import type { Applications } from '../applications.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';
import { oidcEnvironment } from '../constructs/oidc-environment.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import type { ChainAccess } from '../nft/chain-access.ts';
import { ChangePublisher } from './change-publisher.ts';
import { NotificationCalls } from './notification-calls.ts';
import { NotificationRecord } from './notification-record.ts';
import { NotificationReplays } from './notification-replays.ts';
import { NotificationTopic } from './notification-topic.ts';
import { UsersTable } from './users-table.ts';
import { Wallets } from './wallets.ts';

export interface UserDataProps {
  readonly stage: StageConfig;
  readonly profile: ServiceApi;
  readonly b2b: ServiceApi;
  readonly applications: Applications;
  /** The transaction log, whose outcomes are published the same way. */
  readonly transactions: MarqueeTable;
  /** Where wallets' contracts and tickets are asked for. */
  readonly chain: ChainAccess;
}

/** Users' data: the profile and business-to-business calls, and the way of a change to the customers. */
export class UserData extends Construct {
  readonly users: UsersTable;
  readonly subs: MarqueeTable;
  readonly notifications: NotificationTopic;
  readonly record: NotificationRecord;
  readonly changes: ChangePublisher;
  readonly wallets: Wallets;

  constructor(scope: Construct, id: string, props: UserDataProps) {
    super(scope, id);
    const { stage } = props;
    this.users = new UsersTable(this, 'Users', { stage });
    this.subs = new MarqueeTable(this, 'ApplicationUserSubs', {
      stage,
      partitionKey: 'pk',
      sortKey: 'sk',
      timeToLiveAttribute: 'expires_at',
    });
    this.notifications = new NotificationTopic(this, 'Notifications', { stage });
    const { users, subs, notifications } = this;
    this.record = new NotificationRecord(this, 'Record', { stage, notifications });
    const { record } = this;
    const replays = new NotificationReplays(this, 'Replays', { stage, notifications, record });
    new NotificationCalls(this, 'NotificationCalls', { ...props, notifications, record, replays });
    this.changes = new ChangePublisher(this, 'Publisher', { ...props, users, subs, record, notifications });
    this.wallets = new Wallets(this, 'Wallets', { ...props, users });
    this.addProfileCalls(props);
    this.addCustomerCalls(props);
  }

  private addProfileCalls({ stage, profile, applications }: UserDataProps): void {
    const { users, subs } = this;
    const oidc = oidcEnvironment(this, stage.oidc);
    const put = new MarqueeFunction(this, 'PutUserData', {
      stage,
      entry: 'users/put-user-data',
      description: "Registers a user or changes a user's data",
      environment: {
        ...this.environmentOf(applications),
        ...oidc,
        READ_ONLY_KEYS: JSON.stringify(stage.userData.readOnlyKeys),
      },
    });
    const get = new MarqueeFunction(this, 'GetUserData', {
      stage,
      entry: 'users/get-user-data',
      description: 'Gives users their own data',
      environment: { ...users.environment, ...oidc },
    });
    const report = new MarqueeFunction(this, 'GetApplicationUserSub', {
      stage,
      entry: 'users/get-application-user-sub',
      description: 'Tells users what the application that they use calls them',
      environment: { ...this.environmentOf(applications), ...oidc },
    });
    applications.grantRead(put, report);
    users.grantRead(get, report);
    users.grant(put, ['GetItem', 'PutItem']);
    for (const linking of [put, report]) subs.grant(linking, ['GetItem', 'PutItem', 'UpdateItem']);
    profile.mount(operations.putUserDataOperation, put);
    profile.mount(operations.getUserDataOperation, get);
    profile.mount(operations.getApplicationUserSubOperation, report);
    profile.mount(operations.postApplicationUserSubOperation, report);
  }

  private addCustomerCalls({ stage, b2b, applications }: UserDataProps): void {
    const { users, subs } = this;
    const environment = this.environmentOf(applications);
    const exchange = new MarqueeFunction(this, 'ExchangeUserSubs', {
      stage,
      entry: 'users/exchange-user-subs',
      description: 'Tells applications what they call given users',
      environment,
    });
    const read = new MarqueeFunction(this, 'ReadUserData', {
      stage,
      entry: 'users/read-user-data',
      description: 'Gives applications the data of their users',
      environment,
    });
    const readBatch = new MarqueeFunction(this, 'ReadUserDataBatch', {
      stage,
      entry: 'users/read-user-data-batch',
      description: 'Gives applications the data of many of their users at once',
      environment,
    });
    applications.grantRead(exchange, read, readBatch);
    users.grantRegistration(exchange);
    subs.grant(exchange, ['BatchGetItem', 'GetItem', 'PutItem']);
    for (const table of [users, subs]) {
      table.grant(read, ['GetItem']);
      table.grant(readBatch, ['BatchGetItem']);
    }
    b2b.mount(operations.exchangeUserSubsOperation, exchange);
    b2b.mount(operations.readUserDataOperation, read);
    b2b.mount(operations.readUserDataBatchOperation, readBatch);
  }

  private environmentOf(applications: Applications) {
    return {
      ...this.users.environment,
      ...applications.environment,
      SUBS_TABLE: this.subs.tableName,
    };
  }
}
