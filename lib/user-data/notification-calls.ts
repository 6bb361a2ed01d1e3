import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import {
  listEndpointsOperation,
  listNotificationsOperation,
  sendTestOperation,
} from '../../shared/notifications/http/operations.ts';
import {
  getReplayOperation,
  startReplayOperation,
} from '../../shared/notifications/http/replay-operations.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { MarqueeTable } from '../constructs/marquee-table.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import type { NotificationRecord } from './notification-record.ts';
import type { NotificationReplays } from './notification-replays.ts';
import type { NotificationTopic } from './notification-topic.ts';

export interface NotificationCallsProps {
  readonly stage: StageConfig;
  readonly b2b: ServiceApi;
  readonly applications: MarqueeTable;
  readonly cursorSecret: ISecret;
  readonly notifications: NotificationTopic;
  readonly record: NotificationRecord;
  readonly replays: NotificationReplays;
}

/** What customers see and do with their notifications: one function shows, the other sends. */
export class NotificationCalls extends Construct {
  constructor(scope: Construct, id: string, props: NotificationCallsProps) {
    super(scope, id);
    const { b2b } = props;
    const show = this.show(props);
    const send = this.send(props);
    b2b.mount(listNotificationsOperation, show);
    b2b.mount(listEndpointsOperation, show);
    b2b.mount(getReplayOperation, show);
    b2b.mount(startReplayOperation, send);
    b2b.mount(sendTestOperation, send);
  }

  private show(props: NotificationCallsProps): MarqueeFunction {
    const { stage, b2b, cursorSecret, notifications, record } = props;
    const show = new MarqueeFunction(this, 'ShowNotifications', {
      stage,
      entry: 'notifications/show-notifications',
      description: 'Shows applications what was sent to them, and how their endpoints fare',
      environment: {
        ...tables(props),
        CURSOR_SECRET_ARN: cursorSecret.secretArn,
        PUBLIC_BASE_URL: b2b.baseUrl,
        TOPIC_ARN: notifications.topic.topicArn,
      },
    });
    allowTables(show, props);
    show.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:Query'],
      resources: [record.notifications.tableArn],
    });
    show.allow({
      actions: ['dynamodb:Query'],
      resources: [record.notifications.indexArn('by-application'), record.notifications.indexArn('failures')],
    });
    show.allow({
      actions: ['sns:ListSubscriptionsByTopic'],
      resources: [notifications.topic.topicArn],
    });
    show.allowSecret(cursorSecret);
    return show;
  }

  private send(props: NotificationCallsProps): MarqueeFunction {
    const { stage, notifications, record, replays } = props;
    const send = new MarqueeFunction(this, 'SendNotifications', {
      stage,
      entry: 'notifications/send-notifications',
      description: "Sends tests to an application's endpoints, and has notifications sent again",
      environment: {
        ...tables(props),
        TOPIC_ARN: notifications.topic.topicArn,
        REPLAYS_QUEUE_URL: replays.queue.queueUrl,
      },
    });
    allowTables(send, props);
    send.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      resources: [record.notifications.tableArn],
    });
    send.allow({
      actions: ['sns:ListSubscriptionsByTopic', 'sns:Publish'],
      resources: [notifications.topic.topicArn],
    });
    send.allow({ actions: ['sqs:SendMessage'], resources: [replays.queue.queueArn] });
    return send;
  }
}

const tables = ({ applications, record }: NotificationCallsProps): Record<string, string> => ({
  APPLICATIONS_TABLE: applications.tableName,
  NOTIFICATIONS_TABLE: record.notifications.tableName,
  ENDPOINTS_TABLE: record.endpoints.tableName,
});

const allowTables = (call: MarqueeFunction, { applications, record }: NotificationCallsProps): void => {
  call.allow({ actions: ['dynamodb:GetItem'], resources: [applications.tableArn] });
  call.allow({ actions: ['dynamodb:Query'], resources: [record.endpoints.tableArn] });
};
