import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import {
  exchangeUserSubsOperation,
  getApplicationUserSubOperation,
  getUserDataOperation,
  postApplicationUserSubOperation,
  putUserDataOperation,
  readUserDataBatchOperation,
  readUserDataOperation,
} from '../../shared/users/http/operations.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';
import { oidcEnvironment } from '../constructs/oidc-environment.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import { ChangePublisher } from './change-publisher.ts';
import { NotificationCalls } from './notification-calls.ts';
import { NotificationRecord } from './notification-record.ts';
import { NotificationReplays } from './notification-replays.ts';
import { NotificationTopic } from './notification-topic.ts';
import { allowRegistration, Wallets } from './wallets.ts';

export interface UserDataProps {
  readonly stage: StageConfig;
  readonly profile: ServiceApi;
  readonly b2b: ServiceApi;
  readonly applications: MarqueeTable;
  readonly cursorSecret: ISecret;
  /** The transaction log, whose outcomes are published the same way. */
  readonly transactions: MarqueeTable;
  /** Where wallets' contracts and tickets are asked for. */
  readonly ticketEndpoints: ISecret;
}

/** Users' data: the profile and business-to-business calls, and the way of a change to the customers. */
export class UserData extends Construct {
  readonly users: MarqueeTable;
  readonly subs: MarqueeTable;
  readonly notifications: NotificationTopic;
  readonly record: NotificationRecord;
  readonly changes: ChangePublisher;
  readonly wallets: Wallets;

  constructor(scope: Construct, id: string, props: UserDataProps) {
    super(scope, id);
    const { stage, applications } = props;
    this.users = new MarqueeTable(this, 'Users', {
      stage,
      partitionKey: 'user_sub',
      stream: StreamViewType.NEW_IMAGE,
      timeToLiveAttribute: 'expires_at',
    });
    this.subs = new MarqueeTable(this, 'ApplicationUserSubs', {
      stage,
      partitionKey: 'pk',
      sortKey: 'sk',
      timeToLiveAttribute: 'expires_at',
    });
    this.notifications = new NotificationTopic(this, 'Notifications', { stage });
    const { notifications } = this;
    this.record = new NotificationRecord(this, 'Record', { stage, notifications });
    const { record } = this;
    const replays = new NotificationReplays(this, 'Replays', { stage, notifications, record });
    new NotificationCalls(this, 'NotificationCalls', { ...props, notifications, record, replays });
    this.changes = new ChangePublisher(this, 'Publisher', {
      stage,
      users: this.users,
      subs: this.subs,
      applications,
      endpoints: record.endpoints,
      notifications,
      transactions: props.transactions,
    });
    const { users } = this;
    this.wallets = new Wallets(this, 'Wallets', { ...props, users });
    this.addProfileCalls(props);
    this.addCustomerCalls(props);
  }

  private addProfileCalls({ stage, profile, applications }: UserDataProps): void {
    const oidc = oidcEnvironment(this, stage.oidc);
    const put = new MarqueeFunction(this, 'PutUserData', {
      stage,
      entry: 'users/put-user-data',
      description: "Registers a user or changes a user's data",
      environment: {
        ...this.tables(applications),
        ...oidc,
        READ_ONLY_KEYS: JSON.stringify(stage.userData.readOnlyKeys),
      },
    });
    put.allow({ actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resources: [this.users.tableArn] });
    const get = new MarqueeFunction(this, 'GetUserData', {
      stage,
      entry: 'users/get-user-data',
      description: 'Gives users their own data',
      environment: { USERS_TABLE: this.users.tableName, ...oidc },
    });
    get.allow({ actions: ['dynamodb:GetItem'], resources: [this.users.tableArn] });
    const report = new MarqueeFunction(this, 'GetApplicationUserSub', {
      stage,
      entry: 'users/get-application-user-sub',
      description: 'Tells users what the application that they use calls them',
      environment: { ...this.tables(applications), ...oidc },
    });
    report.allow({ actions: ['dynamodb:GetItem'], resources: [this.users.tableArn] });
    for (const caller of [put, report]) {
      caller.allow({ actions: ['dynamodb:GetItem'], resources: [applications.tableArn] });
      caller.allow({
        actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
        resources: [this.subs.tableArn],
      });
    }
    profile.mount(putUserDataOperation, put);
    profile.mount(getUserDataOperation, get);
    profile.mount(getApplicationUserSubOperation, report);
    profile.mount(postApplicationUserSubOperation, report);
  }

  private addCustomerCalls({ stage, b2b, applications }: UserDataProps): void {
    const exchange = new MarqueeFunction(this, 'ExchangeUserSubs', {
      stage,
      entry: 'users/exchange-user-subs',
      description: 'Tells applications what they call given users',
      environment: this.tables(applications),
    });
    allowRegistration(exchange, this.users);
    exchange.allow({
      actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
      resources: [this.subs.tableArn],
    });
    exchange.allow({ actions: ['dynamodb:GetItem'], resources: [applications.tableArn] });
    const read = new MarqueeFunction(this, 'ReadUserData', {
      stage,
      entry: 'users/read-user-data',
      description: 'Gives applications the data of their users',
      environment: this.tables(applications),
    });
    read.allow({
      actions: ['dynamodb:GetItem'],
      resources: [this.users.tableArn, this.subs.tableArn, applications.tableArn],
    });
    const readBatch = new MarqueeFunction(this, 'ReadUserDataBatch', {
      stage,
      entry: 'users/read-user-data-batch',
      description: 'Gives applications the data of many of their users at once',
      environment: this.tables(applications),
    });
    readBatch.allow({
      actions: ['dynamodb:BatchGetItem'],
      resources: [this.users.tableArn, this.subs.tableArn],
    });
    readBatch.allow({ actions: ['dynamodb:GetItem'], resources: [applications.tableArn] });
    b2b.mount(exchangeUserSubsOperation, exchange);
    b2b.mount(readUserDataOperation, read);
    b2b.mount(readUserDataBatchOperation, readBatch);
  }

  private tables(applications: MarqueeTable): Record<string, string> {
    return {
      USERS_TABLE: this.users.tableName,
      SUBS_TABLE: this.subs.tableName,
      APPLICATIONS_TABLE: applications.tableName,
    };
  }
}
