import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config/stage.ts';
import { Applications } from './applications.ts';
import { alarmTopicOf } from './constructs/alarm.ts';
import { watchFunctions } from './constructs/area-alarms.ts';
import { Firewall } from './constructs/firewall.ts';
import { GatewayAccount } from './constructs/gateway-account.ts';
import { ServiceApi } from './constructs/service-api.ts';
import { TestAlarm } from './constructs/test-alarm.ts';
import { UsagePlans } from './constructs/usage-plans.ts';
import { ServiceDashboard } from './dashboard.ts';
import { Documentation } from './documentation/documentation.ts';
import { Nft } from './nft/nft.ts';
import { Ott } from './ott/ott.ts';
import { UserData } from './user-data/user-data.ts';

export interface MarqueeStackProps extends StackProps {
  readonly stage: StageConfig;
}

/** The whole service in one stage. */
export class MarqueeStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: MarqueeStackProps) {
    super(scope, id, props);
    const base = new ServiceApi(this, 'BaseApi', { stage, name: 'base', cors: true });
    const b2b = new ServiceApi(this, 'B2bApi', { stage, name: 'b2b', cors: false });
    const profile = new ServiceApi(this, 'ProfileApi', { stage, name: 'profile', cors: true });
    new GatewayAccount(this, 'GatewayAccount', { before: [base.stage, b2b.stage, profile.stage] });
    if (stage.firewall !== undefined) {
      const { behindDistribution } = stage.ott;
      const firewall = { stage, limits: stage.firewall };
      const direct = behindDistribution ? [b2b, profile] : [base, b2b, profile];
      new Firewall(this, 'Firewall', { ...firewall, apis: direct, isBehindDistribution: false });
      if (behindDistribution)
        new Firewall(this, 'BaseFirewall', { ...firewall, apis: [base], isBehindDistribution: true });
    }
    const plans = new UsagePlans(this, 'UsagePlans', { stage, apis: [base, b2b] });
    const applications = new Applications(this, 'Applications', { stage });
    const nft = new Nft(this, 'Nft', { stage, api: base, applications });
    const userData = new UserData(this, 'UserData', {
      stage,
      profile,
      b2b,
      applications,
      transactions: nft.tables.transactions,
      chain: nft.chain,
    });
    const { wallets } = userData;
    const ott = new Ott(this, 'Ott', { stage, api: base, applications, wallets, nft });
    const documentation = new Documentation(this, 'Documentation', { stage, base, b2b, profile });
    for (const area of [nft, userData, ott, documentation]) watchFunctions(area, stage);
    const testAlarm = new TestAlarm(this, 'AlarmRehearsal', { stage });
    new ServiceDashboard(this, 'Overview', { stage });

    this.output('BaseUrl', base.baseUrl);
    this.output('ApiUrlB2b', b2b.baseUrl);
    this.output('ApiUrlProfile', profile.baseUrl);
    this.output('ApplicationsTable', applications.table.tableName);
    this.output('ChainSecretArn', nft.chain.endpoints.secretArn);
    this.output('TicketChainSecretArn', nft.chain.ticketEndpoints.secretArn);
    this.output('SignerKeyIds', nft.chain.keyIds);
    this.output('ContractsTable', nft.tables.contracts.tableName);
    this.output('NftsTable', nft.tables.nfts.tableName);
    this.output('TransactionsTable', nft.tables.transactions.tableName);
    this.output('SignersTable', nft.tables.signers.tableName);
    this.output('RequestsTable', nft.tables.requests.tableName);
    this.output('UsersTable', userData.users.tableName);
    this.output('WalletsTable', userData.wallets.table.tableName);
    this.output('ApplicationUserSubsTable', userData.subs.tableName);
    this.output('NotificationsTable', userData.record.notifications.tableName);
    this.output('EndpointsTable', userData.record.endpoints.tableName);
    this.output('TopicArn', userData.notifications.topic.topicArn);
    this.output('DeadLetterQueueUrl', userData.notifications.deadLetters.queue.queueUrl);
    this.output('DeadLetterQueueArn', userData.notifications.deadLetters.queue.queueArn);
    this.output('FailedChangesQueueUrl', userData.changes.failedChanges.queue.queueUrl);
    this.output('PublisherFunction', userData.changes.publisher.function.functionName);
    this.output('EventsTable', ott.events.tableName);
    this.output('SessionsTable', ott.sessions.tableName);
    this.output('GrantsTable', ott.grants.tableName);
    this.output('AlarmTopicArn', alarmTopicOf(this, stage).topicArn);
    this.output('RehearsalAlarm', testAlarm.alarm.alarmName);
    this.output('RehearsalTopicArn', testAlarm.topic.topicArn);
    this.output('UsagePlansByTier', this.toJsonString(plans.idsByTier));
  }

  /** The operator's command line reads the outputs; their names do not change. */
  private output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}
