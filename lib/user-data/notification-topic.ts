import { Aws, Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type ILogGroup, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import * as sns from 'aws-cdk-lib/aws-sns';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from '../constructs/alarm.ts';
import { DeadLetterQueue } from '../constructs/dead-letter-queue.ts';
import type { MarqueeFunction } from '../constructs/marquee-function.ts';
import { metricsNamespace } from '../constructs/metrics-namespace.ts';
import { removalOf } from '../constructs/removal.ts';
import { ServiceKey } from '../constructs/service-key.ts';

export interface NotificationTopicProps {
  readonly stage: StageConfig;
}

/**
 * The topic of all customers' endpoints, each with a filter on `application_id`, and the queue for what an endpoint did
 * not accept.
 */
export class NotificationTopic extends Construct {
  readonly topic: sns.Topic;
  readonly deadLetters: DeadLetterQueue;
  /** The groups to which SNS writes a line when a delivery has ended. */
  readonly deliveryLogs: { readonly Delivered: ILogGroup; readonly Failed: ILogGroup };
  private readonly namespace: string;

  constructor(scope: Construct, id: string, { stage }: NotificationTopicProps) {
    super(scope, id);
    this.namespace = metricsNamespace(stage);
    const logRole = new iam.Role(this, 'DeliveryLogRole', {
      assumedBy: new iam.ServicePrincipal('sns.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
      description: 'How SNS logs what became of each delivery',
    });
    this.topic = new sns.Topic(this, 'Topic', {
      masterKey: ServiceKey.of(this, stage),
      enforceSSL: true,
      // SHA256; version 1 is SHA1.
      signatureVersion: '2',
      loggingConfigs: [
        {
          protocol: sns.LoggingProtocol.HTTP,
          failureFeedbackRole: logRole,
          successFeedbackRole: logRole,
          // The record is built from these lines.
          successFeedbackSampleRate: 100,
        },
      ],
    });
    this.deliveryLogs = this.addDeliveryLogs(stage, logRole);
    this.deadLetters = new DeadLetterQueue(this, 'DeadLetters', {
      stage,
      whatGoesWrong: "A customer's endpoint does not accept notifications: the customer misses changes.",
      runbook: 'dead-letters',
    });
    this.allowInto(this.deadLetters.queue);
    this.addAlarms(stage);
  }

  get environment() {
    return { TOPIC_ARN: this.topic.topicArn };
  }

  grantPublish(to: MarqueeFunction): void {
    to.allow({ actions: ['sns:Publish'], resources: [this.topic.topicArn] });
  }

  grantListSubscriptions(to: MarqueeFunction): void {
    to.allow({ actions: ['sns:ListSubscriptionsByTopic'], resources: [this.topic.topicArn] });
  }

  /** Lets the topic put messages into a queue. */
  allowInto(queue: sqs.Queue): void {
    queue.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('sns.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': this.topic.topicArn } },
      }),
    );
  }

  /** SNS gives these two groups their names; created here, they are encrypted and expire. */
  private addDeliveryLogs(stage: StageConfig, role: iam.Role): NotificationTopic['deliveryLogs'] {
    const name = `sns/${Aws.REGION}/${Aws.ACCOUNT_ID}/${this.topic.topicName}`;
    const group = (id: string, logGroupName: string) =>
      new LogGroup(this, id, {
        logGroupName,
        retention: stage.logRetentionDays,
        encryptionKey: ServiceKey.of(this, stage),
        removalPolicy: removalOf(stage),
      });
    const failures = group('FailureLog', `${name}/Failure`);
    const successes = group('DeliveryLog', name);
    const groupArn = (logGroupName: string) =>
      `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${logGroupName}`;
    // "Prerequisites for delivery status logging" asks for all three. SNS drops silently what it may not write, so each
    // group is named both as a group and as its contents.
    role.addToPolicy(
      new iam.PolicyStatement({
        actions: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [successes.logGroupArn, failures.logGroupArn, groupArn(name), groupArn(`${name}/Failure`)],
      }),
    );
    new MetricFilter(this, 'Delays', {
      logGroup: successes,
      filterPattern: FilterPattern.stringValue('$.status', '=', 'SUCCESS'),
      metricNamespace: this.namespace,
      metricName: 'DeliveryMilliseconds',
      metricValue: '$.delivery.dwellTimeMs',
    });
    return { Delivered: successes, Failed: failures };
  }

  /** Final failures, one line for each endpoint by its id, as the record counts them. */
  failuresByEndpoint(period: Duration): cloudwatch.IMetric {
    return new cloudwatch.MathExpression({
      expression: `SEARCH('{${this.namespace},Endpoint} MetricName="DeliveryFailures"', 'Sum')`,
      label: '',
      period,
    });
  }

  private addAlarms(stage: StageConfig): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'DeliveriesFail', {
      stage,
      metric: this.topic.metricNumberOfNotificationsFailed({ period, statistic: 'Sum' }),
      threshold: 100,
      evaluationPeriods: 3,
      whatGoesWrong:
        'Many notifications fail for good: one or more customers receive changes only after a redrive.',
      runbook: 'deliveries-fail',
    });
    new ServiceAlarm(this, 'DeadLettersLost', {
      stage,
      metric: new cloudwatch.Metric({
        namespace: 'AWS/SNS',
        metricName: 'NumberOfNotificationsFailedToRedriveToDlq',
        dimensionsMap: { TopicName: this.topic.topicName },
        statistic: 'Sum',
        period,
      }),
      threshold: 1,
      whatGoesWrong:
        'Failed notifications do not reach the dead-letter queue: a customer will never receive them.',
      runbook: 'dead-letters-lost',
    });
  }
}
