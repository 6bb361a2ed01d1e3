import { Aws } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import * as sns from 'aws-cdk-lib/aws-sns';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ServiceAlarm } from '../platform/constructs/alarm.ts';
import { serviceKey } from '../platform/constructs/encryption.ts';
import { DeadLetterQueue } from '../platform/constructs/queues.ts';
import { serviceLogs } from '../platform/constructs/service-logs.ts';
import { metricsNamespace } from '../platform/constructs/stage.ts';

/** The field of a line in SNS's delivery log that contains the endpoint's address. */
export const loggedDestination = '$.delivery.destination';

/**
 * The topic to which all customers' endpoints are subscribed, each with a filter on `application_id`, and the
 * dead-letter queue for messages that an endpoint did not accept.
 */
export class NotificationTopic extends Construct {
  private readonly logRole = new iam.Role(this, 'DeliveryLogRole', {
    // AWS does not document that SNS names the account when it assumes this role. If it does not, a condition that
    // demands it would keep SNS from logging anything. Only a topic of this account can use a role of this account.
    assumedBy: new iam.ServicePrincipal('sns.amazonaws.com', {
      conditions: { StringEqualsIfExists: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    description: 'Lets SNS log the outcome of each delivery',
  });
  readonly topic = new sns.Topic(this, 'Topic', {
    masterKey: serviceKey(this),
    enforceSSL: true,
    // With version 2, SNS signs with SHA256. With version 1, it would sign with SHA1.
    signatureVersion: '2',
    loggingConfigs: [sns.LoggingProtocol.HTTP, sns.LoggingProtocol.SQS].map((protocol) => ({
      protocol,
      failureFeedbackRole: this.logRole,
      successFeedbackRole: this.logRole,
      // Every success is logged, because the notification record is built from these log lines.
      successFeedbackSampleRate: 100,
    })),
  });
  /** The log groups to which SNS writes one line for each delivery that has succeeded or failed for good. */
  readonly deliveryLogs = this.addDeliveryLogs();
  /** No alarm watches the depth of this queue: the alarm on endpoints that begin to fail reports each new endpoint. */
  readonly deadLetters = new DeadLetterQueue(this, 'DeadLetters');

  readonly publish = this.may('sns:Publish');
  readonly listSubscriptions = this.may('sns:ListSubscriptionsByTopic');

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.allowInto(this.deadLetters.queue);
    new ServiceAlarm(this, 'DeliveriesFail', {
      metric: this.topic.metricNumberOfNotificationsFailed(),
      threshold: 100,
      evaluationPeriods: 3,
      whatGoesWrong:
        'Many attempts to deliver fail: one or more customers receive changes only when their endpoints work again.',
      runbook: 'deliveries-fail',
      severity: 'ticket',
    });
    new ServiceAlarm(this, 'DeadLettersLost', {
      metric: this.topic.metric('NumberOfNotificationsFailedToRedriveToDlq', { statistic: 'Sum' }),
      whatGoesWrong:
        'Failed notifications do not reach the dead-letter queue: a customer will never receive them.',
      runbook: 'dead-letters-lost',
      severity: 'page',
    });
  }

  private may(action: string) {
    const { topicArn } = this.topic;
    return { actions: [action], resources: [topicArn], variables: { TOPIC_ARN: topicArn } };
  }

  /** Allows the topic to send messages to a queue. */
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

  /** SNS names these log groups. The stack creates them first, so that they are encrypted and their lines expire. */
  private addDeliveryLogs() {
    const name = `sns/${Aws.REGION}/${Aws.ACCOUNT_ID}/${this.topic.topicName}`;
    const Failed = serviceLogs(this, 'FailureLog', `${name}/Failure`);
    const Delivered = serviceLogs(this, 'DeliveryLog', name);
    const group = `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${name}`;
    // If one of these permissions is missing, SNS silently drops lines ("Prerequisites for delivery status logging").
    // Each group's ARN is listed twice: without `:*` for actions on the group, with `:*` for actions on its streams.
    this.logRole.addToPolicy(
      new iam.PolicyStatement({
        actions: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [Delivered.logGroupArn, Failed.logGroupArn, group, `${group}/Failure`],
      }),
    );
    return { Delivered, Failed };
  }

  /** Measures the delays of deliveries to customers' endpoints, and not those to the service's own queue. */
  measureDelays(own: sqs.Queue): void {
    new MetricFilter(this, 'Delays', {
      logGroup: this.deliveryLogs.Delivered,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', 'SUCCESS'),
        FilterPattern.stringValue(loggedDestination, '!=', own.queueArn),
      ),
      metricNamespace: metricsNamespace(this),
      metricName: 'DeliveryMilliseconds',
      metricValue: '$.delivery.dwellTimeMs',
    });
  }
}
