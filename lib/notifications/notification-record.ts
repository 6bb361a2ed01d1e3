import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import {
  type CfnSubscriptionFilter,
  FilterPattern,
  MetricFilter,
  SubscriptionFilter,
} from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { recorderSeconds } from '../../config/user-data.ts';
import {
  attemptsFailedCode,
  deliveriesFailedCode,
  type RecorderCode,
  type RedeliveryCode,
} from '../../shared/platform/watched.ts';
import { ServiceAlarm, sumOf } from '../platform/constructs/alarm.ts';
import { alarmsOnCodes, type WatchedCode } from '../platform/constructs/function-alarms.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import { MarqueeTable } from '../platform/constructs/marquee-table.ts';
import { consumeQueue, DeadLetterQueue, maySend, workQueue } from '../platform/constructs/queues.ts';
import { metricsNamespace, stageOf } from '../platform/constructs/stage.ts';
import { schedule } from '../platform/constructs/triggers.ts';
import { loggedDestination, type NotificationTopic } from './notification-topic.ts';

/** The timeout of the function that runs replays and redeliveries. */
export const replaysTimeout = Duration.minutes(1);

const told = {
  DELIVERY_LINES_UNREADABLE: {
    value: '$.count',
    whatGoesWrong:
      "Customers do not see how some deliveries ended: SNS's log has lines that cannot be read. Delivery itself is not affected.",
    runbook: 'delivery-lines-cannot-be-read',
    severity: 'ticket',
  },
  ENDPOINT_BEGINS_TO_FAIL: {
    value: '$.count',
    // Once for each endpoint, so that an endpoint that fails for days does not hide the next one.
    whatGoesWrong:
      "A customer's endpoint has begun to fail: the customer receives changes only when it works again.",
    runbook: 'dead-letters',
    severity: 'ticket',
  },
  ENDPOINTS_FAILING: {
    id: 'EndpointsFail',
    value: '$.count',
    statistic: 'Maximum',
    period: Duration.hours(2),
    whatGoesWrong: 'An endpoint has accepted nothing for five days: its customer misses all changes.',
    runbook: 'endpoints-fail-for-days',
    severity: 'ticket',
  },
} satisfies Record<RecorderCode, WatchedCode>;

const toldByRedelivery = {
  REDELIVERY_PAUSED: {
    value: '$.count',
    whatGoesWrong:
      "A customer's endpoint has accepted nothing for 14 days, or has refused the same notification for 14 days: what it missed is not sent again by itself.",
    runbook: 'redelivery-is-paused',
    severity: 'ticket',
  },
  FAILED_MESSAGE_UNKNOWN: {
    value: '$.count',
    whatGoesWrong:
      'SNS has logged that a notification failed which is not in the record: it is not sent again by itself.',
    runbook: 'a-failed-notification-is-unknown',
    severity: 'ticket',
  },
} satisfies Record<RedeliveryCode, WatchedCode>;

/** Patterns of the partition keys of messages and their deliveries. */
const recordKeys = ['SUBJECT#*', 'MESSAGE#*'];
/** Of the rows of what endpoints have not accepted. */
const undeliveredKeys = ['UNDELIVERED#*'];
/** Patterns of the partition keys of replays, and of what applications have open. Neither is a part of the record. */
const replayKeys = ['REPLAY#*'];
const openReplaysKeys = ['REPLAYS#*'];

/**
 * The record of all messages to customers and of their deliveries, kept for 30 days. A function, the recorder, reads
 * the messages from the topic and the deliveries from SNS's log, so it does not slow down the functions that publish.
 */
export class NotificationRecord extends Construct {
  readonly notifications = new MarqueeTable(this, 'Notifications', 'NOTIFICATIONS_TABLE', {
    keys: ['pk', 'sk'],
    timeToLiveAttribute: 'expires_at',
    globalIndexes: [
      { name: 'by-application', keys: ['application_day', 'listed'] },
      { name: 'failures', keys: ['failed_destination', 'sk'] },
      // Only rows of what an endpoint has not accepted have these attributes.
      { name: 'undelivered', keys: ['undelivered_to', 'next_at'] },
    ],
  });
  readonly endpoints = new MarqueeTable(this, 'Endpoints', 'ENDPOINTS_TABLE', {
    keys: ['application_id', 'endpoint_id'],
    timeToLiveAttribute: 'expires_at',
    // Only endpoints with undelivered notifications have these attributes.
    globalIndexes: [{ name: 'by-next-look', keys: ['redelivery', 'next_look_at'] }],
  });
  /** What functions that redeliver need to know. */
  readonly redelivery = { REDELIVERY: JSON.stringify(stageOf(this).userData.redelivery) };
  /**
   * Messages and ends of deliveries that could not be recorded, and replays that could not be finished, after all
   * retries.
   */
  readonly unfinished = new DeadLetterQueue(this, 'Unfinished', {
    whatGoesWrong:
      "Notifications, or how their delivery ended, are missing from customers' lists, or requested replays are not sent.",
    runbook: 'notifications-are-not-recorded',
    severity: 'ticket',
  });
  readonly queue = workQueue(
    this,
    Duration.seconds(stageOf(this).userData.recordRetrySeconds),
    this.unfinished,
  );

  /** The queue of replays and redeliveries, and the permission to request them. */
  readonly replays: ReturnType<NotificationRecord['addReplaysQueue']>;

  readonly readEndpoints = this.endpoints.may('Query');
  readonly listEndpoints = this.endpoints.may('Scan');
  readonly show = [
    this.readEndpoints,
    this.notifications.mayOn(replayKeys, 'GetItem'),
    this.notifications.may('Query'),
    this.notifications.mayQuery('by-application', 'failures'),
  ] as const;
  /** Allows sending test notifications and requesting replays. */
  readonly send = [
    this.readEndpoints,
    this.notifications.mayOn([...replayKeys, ...openReplaysKeys], 'GetItem'),
    this.notifications.mayOn(replayKeys, 'PutItem'),
    this.notifications.mayOn([...openReplaysKeys, 'TESTS#*'], 'UpdateItem'),
  ] as const;
  readonly replay = [
    this.endpoints.may('GetItem', 'Query', 'UpdateItem'),
    this.notifications.may('Query'),
    this.notifications.mayQuery('by-application', 'undelivered'),
    this.notifications.mayOn([...replayKeys, ...openReplaysKeys], 'GetItem'),
    this.notifications.mayOn(replayKeys, 'PutItem'),
    this.notifications.mayOn([...openReplaysKeys, ...undeliveredKeys, 'MESSAGE#*'], 'UpdateItem'),
    this.notifications.mayOn([...openReplaysKeys, ...undeliveredKeys], 'DeleteItem'),
  ] as const;

  constructor(scope: Construct, id: string, notifications: NotificationTopic) {
    super(scope, id);
    for (const target of [this.queue, this.unfinished.queue]) notifications.allowInto(target);
    new sns.CfnSubscription(this, 'Sent', {
      topicArn: notifications.topic.topicArn,
      protocol: 'sqs',
      endpoint: this.queue.queueArn,
      redrivePolicy: { deadLetterTargetArn: this.unfinished.queue.queueArn },
    });
    this.replays = this.addReplaysQueue(new Construct(scope, 'Replays'));
    const recorder = this.addRecorder(notifications);
    schedule(
      this,
      'Minutely',
      recorder,
      Duration.minutes(1),
      'Looks for endpoints with undelivered messages',
    );
    new MetricFilter(this, 'FailuresByEndpoint', {
      logGroup: recorder.function.logGroup,
      filterPattern: FilterPattern.stringValue('$.code', '=', deliveriesFailedCode),
      metricNamespace: metricsNamespace(this),
      metricName: 'DeliveryFailures',
      metricValue: '$.count',
      // The metric uses the endpoint's id instead of its address, because the path of an address can be secret.
      dimensions: { Endpoint: '$.endpoint' },
    });
    alarmsOnCodes(this, [recorder], told);
    notifications.measureDelays(this.queue);
    this.compareWithSns(notifications, recorder);
    this.addForwarder(notifications);
  }

  /** Adds the alarms on what the function logs that runs redeliveries. */
  watchRedelivery(worker: MarqueeFunction): void {
    alarmsOnCodes(this, [worker], toldByRedelivery);
  }

  /** Adds the queue of replays and redeliveries. */
  private addReplaysQueue(scope: Construct) {
    // The message of a long replay is received many times. Each time, the function does a part of the work.
    const queue = workQueue(scope, Duration.seconds(6 * replaysTimeout.toSeconds()), this.unfinished);
    return { scope, queue, request: maySend(queue, 'REPLAYS_QUEUE_URL') };
  }

  /** Once a minute, the recorder also queues the endpoints to which something is to be sent again. */
  private addRecorder({ listSubscriptions }: NotificationTopic): MarqueeFunction {
    const { concurrency } = stageOf(this);
    const recorder = new MarqueeFunction(this, 'notifications/record-notifications', {
      description: 'Records what was sent to customers, and how its delivery ended',
      whatGoesWrong:
        "Notifications appear late in customers' lists, and endpoints that work again receive late what they missed.",
      severity: 'ticket',
      timeout: Duration.seconds(recorderSeconds),
      reservedConcurrentExecutions: concurrency?.recorder,
      environment: this.redelivery,
      may: [
        this.notifications.mayOn(recordKeys, 'BatchWriteItem', 'UpdateItem'),
        this.notifications.mayOn([...recordKeys, ...undeliveredKeys], 'PutItem'),
        this.endpoints.may('GetItem', 'Scan', 'UpdateItem'),
        this.endpoints.mayQuery('by-next-look'),
        listSubscriptions,
        this.replays.request,
      ],
    });
    consumeQueue(this, 'Recording', this.queue, recorder, {
      batchSize: 25,
      maxConcurrency: concurrency?.recorder ?? 5,
      // Collects messages for up to a second: no caller waits, and a full batch needs only one request to the table.
      maxBatchingWindow: Duration.seconds(1),
      waiting: 1_000,
      whatGoesWrong:
        "Notifications appear late in customers' lists, and a redrive may send again what an endpoint has accepted. Delivery itself is not affected.",
      runbook: 'notifications-are-not-recorded',
      severity: 'ticket',
    });
    return recorder;
  }

  /** A failure that SNS does not log is in no record, so it is never sent again. */
  private compareWithSns({ topic }: NotificationTopic, recorder: MarqueeFunction): void {
    const period = Duration.hours(1);
    const recorded = new MetricFilter(this, 'AttemptsFailed', {
      logGroup: recorder.function.logGroup,
      filterPattern: FilterPattern.stringValue('$.code', '=', attemptsFailedCode),
      metricNamespace: metricsNamespace(this),
      metricName: 'AttemptsFailed',
      metricValue: '$.count',
    }).metric({ statistic: 'Sum', period });
    new ServiceAlarm(this, 'FailuresNotLogged', {
      metric: new MathExpression({
        expression: 'IF(failed >= 100, failed / FILL(recorded, 1), 0)',
        usingMetrics: {
          failed: topic.metricNumberOfNotificationsFailed({ statistic: 'Sum', period }),
          recorded,
        },
        label: 'failed attempts for each that is recorded',
        period,
      }),
      threshold: 2,
      // SNS logs a delivery when it has ended, up to an hour after the first failed attempt.
      evaluationPeriods: 3,
      whatGoesWrong:
        'SNS counts many more failures than are recorded: what customers miss is not sent again by itself.',
      runbook: 'failures-are-not-logged',
      severity: 'ticket',
    });
  }

  private addForwarder({ deliveryLogs }: NotificationTopic): void {
    const forwarder = new MarqueeFunction(this, 'notifications/forward-deliveries', {
      description: "Puts what SNS logs of deliveries into the record's queue",
      whatGoesWrong:
        'Customers do not see whether their notifications were delivered. Delivery itself is not affected.',
      severity: 'ticket',
      timeout: Duration.seconds(30),
      reservedConcurrentExecutions: stageOf(this).concurrency?.forwarder,
      may: [maySend(this.queue, 'RECORD_QUEUE_URL')],
    });
    const { queueArn } = this.unfinished.queue;
    forwarder.allow({ actions: ['sqs:SendMessage'], resources: [queueArn] });
    new lambda.EventInvokeConfig(this, 'GivenUp', {
      function: forwarder.function,
      onFailure: { bind: () => ({ destination: queueArn }) },
    });
    // A line without an address still comes through, so that an unknown form of the lines is noticed.
    const ofCustomers = FilterPattern.any(
      FilterPattern.stringValue(loggedDestination, '!=', this.queue.queueArn),
      FilterPattern.notExists(loggedDestination),
    );
    const metrics = Object.entries(deliveryLogs).flatMap(([name, logGroup]) => {
      const filter = new SubscriptionFilter(this, `${name}Lines`, {
        logGroup,
        destination: new LambdaDestination(forwarder.function),
        filterPattern: ofCustomers,
      });
      const { ref: FilterName } = filter.node.defaultChild as CfnSubscriptionFilter;
      return ['DeliveryErrors', 'DeliveryThrottling'].map(
        (metricName) =>
          new Metric({
            namespace: 'AWS/Logs',
            metricName,
            dimensionsMap: { LogGroupName: logGroup.logGroupName, DestinationType: 'Lambda', FilterName },
            statistic: 'Sum',
          }),
      );
    });
    new ServiceAlarm(this, 'NotForwarded', {
      metric: sumOf('log lines that the function is not given, and calls that are lost', [
        ...metrics,
        forwarder.function.metric('DestinationDeliveryFailures', { statistic: 'Sum' }),
      ]),
      // After an error, CloudWatch Logs pauses for a while. During the pause it neither forwards lines nor counts failures.
      evaluationPeriods: 3,
      datapointsToAlarm: 1,
      whatGoesWrong:
        'CloudWatch Logs cannot invoke the function that forwards deliveries, or Lambda cannot put aside what it failed to forward: customers do not see whether their notifications were delivered. Delivery itself is not affected.',
      runbook: 'a-part-is-switched-off',
      severity: 'ticket',
    });
  }
}
