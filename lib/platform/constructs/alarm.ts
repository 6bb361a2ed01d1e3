import { Aws, Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { addressesOf, isSplit, type Severity } from '../../../config/alarm-emails.ts';
import { acknowledge } from './acknowledge.ts';
import { alarmKey } from './encryption.ts';
import { metricsNamespace, stageOf } from './stage.ts';

export type { Severity };

/** The text of an alarm, for operators. */
export interface Told {
  /** What goes wrong, and who is affected. */
  readonly whatGoesWrong: string;
  /** The section of docs/runbook.md that says what to do. */
  readonly runbook: string;
  readonly severity: Severity;
}

/** By default, the alarm goes off when its metric is at least 1 in one period. */
export type Watched = Told &
  Partial<
    Pick<
      cloudwatch.AlarmProps,
      'threshold' | 'comparisonOperator' | 'evaluationPeriods' | 'datapointsToAlarm' | 'treatMissingData'
    >
  > & {
    /** Whether a deployment is rolled back that sets off the alarm. @default false */
    readonly rollsBack?: boolean;
  };

/**
 * An alarm whose description names the problem, who is affected, and the section of the runbook with the remedy. By
 * default, missing data counts as healthy.
 */
export class ServiceAlarm extends Construct {
  /** Absent on a stage without alarms. */
  readonly alarm: cloudwatch.Alarm | undefined;
  private readonly rollsBack: boolean;

  constructor(
    scope: Construct,
    id: string,
    {
      whatGoesWrong,
      runbook,
      severity,
      rollsBack = false,
      ...options
    }: Watched & Pick<cloudwatch.AlarmProps, 'metric'>,
  ) {
    super(scope, id);
    this.rollsBack = rollsBack;
    if (!stageOf(this).alarms) return;
    this.alarm = new cloudwatch.Alarm(this, 'Alarm', {
      threshold: 1,
      evaluationPeriods: 1,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription: `${whatGoesWrong} What to do: docs/runbook.md#${runbook}`,
      ...options,
    });
    const action = new SnsAction(alarmTopicOf(this, severity));
    this.alarm.addAlarmAction(action);
    this.alarm.addOkAction(action);
  }

  /** The ARNs of the stack's alarms that roll back a deployment. Call this after all parts of the stack were added. */
  static rollbackTriggersOf(scope: Construct): readonly string[] {
    const alarms = Stack.of(scope)
      .node.findAll()
      .flatMap((each) => (each instanceof ServiceAlarm && each.rollsBack && each.alarm ? [each.alarm] : []));
    if (alarms.length > mostRollbackTriggers) {
      throw new Error(`CloudFormation watches at most ${mostRollbackTriggers} alarms, not ${alarms.length}`);
    }
    return alarms.map(({ alarmArn }) => alarmArn);
  }
}

/** CloudFormation's *RollbackConfiguration*. */
const mostRollbackTriggers = 5;

/** The alarm goes off only when two of three periods breach the threshold, so not on a failure that a retry repairs. */
export const unlessHealed = { evaluationPeriods: 3, datapointsToAlarm: 2 };

/** The sum of the metrics over five minutes, for one alarm. */
export const sumOf = (label: string, metrics: readonly cloudwatch.IMetric[]): cloudwatch.MathExpression =>
  new cloudwatch.MathExpression({
    expression: 'SUM(METRICS())',
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    label,
  });

/** The maximum number of metrics in one alarm (AWS, *CloudWatch service quotas*). */
const metricsOfAnAlarm = 10;

export interface Pooled extends Omit<Watched, 'whatGoesWrong'> {
  /** What the sum counts. */
  readonly label: string;
  /** The metrics, each with the name of the part that it is about. */
  readonly metrics: readonly { readonly of: string; readonly metric: cloudwatch.IMetric }[];
  /** Says what goes wrong, and who is affected. `names` are the parts that the alarm watches. */
  readonly whatGoesWrong: (names: string) => string;
}

/** The alarms of many parts of the same kind. */
export class PooledAlarms extends Construct {}

/**
 * Adds one alarm for every ten metrics, on their sum. A stack can have only 500 resources, so parts of the same kind
 * share alarms, also those of different areas. The alarm's description lists the names of its parts.
 */
export const watchTogether = (
  scope: Construct,
  id: string,
  { label, metrics, whatGoesWrong, ...watched }: Pooled,
): void => {
  const alarms = new PooledAlarms(scope, id);
  for (let first = 0; first < metrics.length; first += metricsOfAnAlarm) {
    const pool = metrics.slice(first, first + metricsOfAnAlarm);
    const names = [...new Set(pool.map((each) => each.of))].join(', ');
    new ServiceAlarm(alarms, String(first / metricsOfAnAlarm + 1), {
      metric: sumOf(
        label,
        pool.map(({ metric }) => metric),
      ),
      whatGoesWrong: whatGoesWrong(names),
      ...watched,
    });
  }
};

/** An encrypted topic to which only the alarms of this account and Region can publish, and only over TLS. */
class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string) {
    super(scope, id, { masterKey: alarmKey(scope), enforceSSL: true });
    const alarms = `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:*`;
    // Because of `enforceSSL`, this policy replaces the default policy that SNS gives a topic. So it must explicitly
    // allow CloudWatch, which publishes as a service and not as the account.
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Alarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: { 'aws:SourceArn': alarms },
        },
      }),
    );
  }
}

/** The construct ids of the topics. */
const topicIds = { page: 'AlarmTopic', ticket: 'TicketTopic' } as const satisfies Record<Severity, string>;

/**
 * Returns the topic of the stack's alarms of this severity. The first call creates the topic. Unless the stage's file
 * splits the addresses, all alarms have the topic `page`: those of a new topic would reach nobody until its addresses
 * are confirmed.
 */
export function alarmTopicOf(scope: Construct, severity: Severity): Topic {
  const stack = Stack.of(scope);
  const { alarmEmails } = stageOf(scope);
  const used = isSplit(alarmEmails) ? severity : 'page';
  const existing = stack.node.tryFindChild(topicIds[used]);
  if (existing instanceof AlarmTopic) return existing;
  const topic = new AlarmTopic(stack, topicIds[used]);
  for (const address of addressesOf(alarmEmails, used)) {
    acknowledge(topic.addSubscription(new EmailSubscription(address)), {
      'Serverless-SNSRedrivePolicy': 'SNS keeps no e-mail for later: a queue would hold what nobody reads',
    });
  }
  return topic;
}

/**
 * An alarm that an operator sets by hand, to check that alarms can reach a topic. It has its own topic, with the same
 * key and policy as the topic of all other alarms, but without subscribers. Its metric has no data.
 */
export function addTestAlarm(scope: Construct) {
  const topic = new AlarmTopic(scope, 'Topic');
  const alarm = new cloudwatch.Alarm(scope, 'Alarm', {
    metric: new cloudwatch.Metric({
      namespace: metricsNamespace(scope),
      metricName: 'Rehearsal',
      statistic: 'Sum',
      period: Duration.minutes(1),
    }),
    threshold: 1,
    evaluationPeriods: 1,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    alarmDescription:
      'Nothing is wrong: an operator sets this test alarm to check the path of all alarms, and it notifies nobody. What to do: docs/runbook.md#alarms-reach-nobody',
  });
  alarm.addAlarmAction(new SnsAction(topic));
  return { alarm, topic };
}
