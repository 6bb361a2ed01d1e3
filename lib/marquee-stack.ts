import { type App, CfnOutput, DefaultStackSynthesizer, Fn } from 'aws-cdk-lib';
import { Period, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { isSplit } from '../config/alarm-emails.ts';
import type { StageConfig } from '../config/stage.ts';
import { getDocumentOperation } from '../shared/platform/documentation/http/operations.ts';
import { Account } from './account/account.ts';
import { Nft } from './nft/nft.ts';
import { addEventPublisher } from './notifications/event-publisher.ts';
import { Notifications } from './notifications/notifications.ts';
import { Ott } from './ott/ott.ts';
import { Applications } from './platform/applications.ts';
import { addBackups } from './platform/backup.ts';
import { addBudgets } from './platform/budget.ts';
import { addCanary } from './platform/canary.ts';
import { addTestAlarm, alarmTopicOf, ServiceAlarm } from './platform/constructs/alarm.ts';
import { addFirewall } from './platform/constructs/firewall.ts';
import { watchFunctions } from './platform/constructs/function-alarms.ts';
import { addGatewayAccount } from './platform/constructs/gateway-account.ts';
import { MarqueeFunction } from './platform/constructs/marquee-function.ts';
import { watchTables } from './platform/constructs/marquee-table.ts';
import { addOriginFirewall } from './platform/constructs/origin-firewall.ts';
import { ServiceApi } from './platform/constructs/service-api.ts';
import { type ServiceSecret, secretArnsOf } from './platform/constructs/service-secret.ts';
import { configured, StageStack } from './platform/constructs/stage.ts';
import { watchSchedules } from './platform/constructs/triggers.ts';
import { addDashboard } from './platform/dashboard.ts';
import { watchLogins } from './platform/logins.ts';
import { UserData } from './users/user-data.ts';
import { Wallets } from './wallets/wallets.ts';

export class MarqueeStack extends StageStack {
  readonly stage: StageConfig;

  constructor(app: App, stage: StageConfig) {
    super(app, `Marquee-${stage.name}`, {
      description: `Marquee, stage ${stage.name}`,
      terminationProtection: stage.protected,
      synthesizer: new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }),
    });
    this.stage = stage;
    const base = new ServiceApi(this, 'base');
    const b2b = new ServiceApi(this, 'b2b');
    const profile = new ServiceApi(this, 'profile');
    addGatewayAccount(new Construct(this, 'GatewayAccount'), [base, b2b, profile]);
    const usagePlans = this.addUsagePlans([base, b2b]);
    const applications = new Applications(this, 'Applications');
    const nft = new Nft(this, 'Nft', applications);
    const userData = new UserData(this, 'UserData');
    const { users, subs, readRegistration } = userData;
    const { transactions } = nft.tables;
    const notifications = new Notifications(userData, { applications, users, subs, transactions });
    const wallets = new Wallets(userData, 'Wallets', applications, nft.chain, users, readRegistration);
    userData.addCalls(applications);
    nft.addReservingCalls(applications, userData, wallets);
    const ott = new Ott(this, 'Ott', applications, nft, wallets);
    const account = new Account(this, 'Account', { applications, userData, wallets, nft, ott });
    const { topic, record, changes } = notifications;
    const eventPublisher = addEventPublisher(new Construct(this, 'EventPublisher'), {
      events: ott.events,
      applications,
      record,
      notifications: topic,
      failedChanges: changes.failedChanges,
    });
    this.addFirewalls({ base, others: [b2b, profile], originVerify: ott.outside.originVerify });
    const documentation = new Construct(this, 'Documentation');
    new MarqueeFunction(documentation, 'platform/get-document', {
      serves: [getDocumentOperation],
      description: 'Gives the OpenAPI document of the stage to everybody',
    });
    const canary = new Construct(this, 'Canary');
    if (stage.alarms) {
      addCanary(canary, {
        PUBLIC_BASE_URL: base.baseUrl,
        API_URL_B2B: b2b.baseUrl,
        API_URL_PROFILE: profile.baseUrl,
      });
    }
    watchFunctions(new Construct(this, 'Functions'));
    watchTables(new Construct(this, 'Tables'));
    watchSchedules(new Construct(this, 'Schedules'));
    watchLogins(new Construct(this, 'Logins'));
    const alarmOutputs = stage.alarms ? this.alarmOutputs() : {};
    addBackups(new Construct(this, 'Backups'));
    addDashboard(new Construct(this, 'Overview'));
    addBudgets(new Construct(this, 'Budgets'));
    // The operator's command line reads these outputs and those of the tables, so their names must not change.
    const outputs = {
      BaseUrl: base.baseUrl,
      ApiUrlB2b: b2b.baseUrl,
      ApiUrlProfile: profile.baseUrl,
      OwnBaseUrl: base.ownUrl,
      OwnApiUrlB2b: b2b.ownUrl,
      OwnApiUrlProfile: profile.ownUrl,
      ChainSecretArn: nft.chain.endpoints.secretArn,
      TicketChainSecretArn: nft.chain.ticketEndpoints.secretArn,
      SecretArns: this.toJsonString(secretArnsOf(this)),
      EntitlementServiceUrl: configured(this, stage.ott.entitlement.url),
      SignerKeyIds: nft.chain.keyIds,
      TopicArn: topic.topic.topicArn,
      DeadLetterQueueUrl: topic.deadLetters.queue.queueUrl,
      DeadLetterQueueArn: topic.deadLetters.queue.queueArn,
      FailedChangesQueueUrl: changes.failedChanges.queue.queueUrl,
      FailedErasuresQueueUrl: account.failedErasures.queue.queueUrl,
      UnfinishedQueueUrl: record.unfinished.queue.queueUrl,
      RecordQueueUrl: record.queue.queueUrl,
      ReplaysQueueUrl: notifications.replaysQueueUrl,
      PublisherFunction: changes.publisher.function.functionName,
      EventPublisherFunction: eventPublisher.function.functionName,
      UsagePlansByTier: this.toJsonString(usagePlans),
      ...(ott.outside.geolocationUrl !== undefined && {
        GeolocationServiceUrl: ott.outside.geolocationUrl,
      }),
      ...alarmOutputs,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  private alarmOutputs() {
    const { alarm, topic } = addTestAlarm(new Construct(this, 'AlarmRehearsal'));
    return {
      AlarmTopicArn: alarmTopicOf(this, 'page').topicArn,
      ...(isSplit(this.stage.alarmEmails) && { TicketTopicArn: alarmTopicOf(this, 'ticket').topicArn }),
      RehearsalAlarm: alarm.alarmName,
      RehearsalTopicArn: topic.topicArn,
      RollbackTriggerArns: Fn.join(',', [...ServiceAlarm.rollbackTriggersOf(this)]),
    };
  }

  private addFirewalls({
    base,
    others,
    originVerify,
  }: {
    readonly base: ServiceApi;
    readonly others: readonly ServiceApi[];
    readonly originVerify: ServiceSecret | undefined;
  }): void {
    const { firewall: limits } = this.stage;
    if (originVerify !== undefined) {
      const acl = addOriginFirewall(new Construct(this, 'BaseFirewall'), base, originVerify);
      new CfnOutput(this, 'OriginWebAcl', { value: acl.ref });
    }
    if (limits === undefined) return;
    const direct = originVerify === undefined ? [base, ...others] : others;
    addFirewall(new Construct(this, 'Firewall'), direct, limits);
  }

  /**
   * The ids of the usage plans, by tier. There is one plan for each tier and not for each key, because an account can
   * have only 300 plans but 10,000 keys. Throttling applies to each key of a plan separately.
   */
  private addUsagePlans(apis: readonly ServiceApi[]): Readonly<Record<string, string>> {
    const scope = new Construct(this, 'UsagePlans');
    const plans = Object.entries(this.stage.tiers).map(([tier, { ratePerSecond, burst, perDay }]) => {
      const plan = new UsagePlan(scope, tier, {
        name: `marquee-${this.stage.name}-${tier}`,
        apiStages: apis.map(({ api }) => ({ stage: api.deploymentStage })),
        throttle: { rateLimit: ratePerSecond, burstLimit: burst },
        quota: perDay === undefined ? undefined : { limit: perDay, period: Period.DAY },
      });
      return [tier, plan.usagePlanId];
    });
    return Object.fromEntries(plans);
  }
}
