import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { MarqueeTable } from '../constructs/marquee-table.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import type { NotificationRecord } from './notification-record.ts';
import type { NotificationTopic } from './notification-topic.ts';

export interface NotificationCallsProps {
  readonly stage: StageConfig;
  readonly b2b: ServiceApi;
  readonly applications: MarqueeTable;
  readonly cursorSecret: ISecret;
  readonly notifications: NotificationTopic;
  readonly record: NotificationRecord;
}

/** What customers see and do of their notifications. */
export class NotificationCalls extends Construct {
  constructor(scope: Construct, id: string, props: NotificationCallsProps) {
    super(scope, id);
    const { stage, b2b, applications, cursorSecret, notifications, record } = props;
    const { topicArn } = notifications.topic;
    const tables = {
      APPLICATIONS_TABLE: applications.tableName,
      NOTIFICATIONS_TABLE: record.notifications.tableName,
      ENDPOINTS_TABLE: record.endpoints.tableName,
    };
    const list = new MarqueeFunction(this, 'ListNotifications', {
      stage,
      entry: 'notifications/list-notifications',
      description: 'Lists what was sent to an application',
      environment: { ...tables, CURSOR_SECRET_ARN: cursorSecret.secretArn, PUBLIC_BASE_URL: b2b.baseUrl },
    });
    list.allow({
      actions: ['dynamodb:Query'],
      resources: [record.notifications.tableArn, record.notifications.indexArn('by-application')],
    });
    list.allowSecret(cursorSecret);
    const endpoints = new MarqueeFunction(this, 'ListEndpoints', {
      stage,
      entry: 'notifications/list-endpoints',
      description: "Lists an application's endpoints and how they fare",
      environment: { ...tables, TOPIC_ARN: topicArn },
    });
    endpoints.allow({ actions: ['dynamodb:Query'], resources: [record.notifications.indexArn('failures')] });
    endpoints.allow({ actions: ['sns:ListSubscriptionsByTopic'], resources: [topicArn] });
    const test = new MarqueeFunction(this, 'SendTest', {
      stage,
      entry: 'notifications/send-test',
      description: "Sends a test to an application's endpoints",
      environment: {
        APPLICATIONS_TABLE: applications.tableName,
        ENDPOINTS_TABLE: record.endpoints.tableName,
        TOPIC_ARN: topicArn,
      },
    });
    test.allow({ actions: ['sns:Publish'], resources: [topicArn] });
    for (const call of [list, endpoints, test]) {
      call.allow({ actions: ['dynamodb:GetItem'], resources: [applications.tableArn] });
      call.allow({ actions: ['dynamodb:Query'], resources: [record.endpoints.tableArn] });
    }
    const route = { apiKeyRequired: true } as const;
    b2b.route({ ...route, method: 'GET', path: '/notifications', function: list });
    b2b.route({ ...route, method: 'GET', path: '/notifications/endpoints', function: endpoints });
    b2b.route({ ...route, method: 'POST', path: '/notifications/test', function: test });
  }
}
