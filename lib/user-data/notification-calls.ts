import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import * as operations from '../../shared/notifications/http/operations.ts';
import {
  getReplayOperation,
  startReplayOperation,
} from '../../shared/notifications/http/replay-operations.ts';
import type { Applications } from '../applications.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import type { NotificationRecord } from './notification-record.ts';
import type { NotificationReplays } from './notification-replays.ts';
import type { NotificationTopic } from './notification-topic.ts';

export interface NotificationCallsProps {
  readonly stage: StageConfig;
  readonly b2b: ServiceApi;
  readonly applications: Applications;
  readonly notifications: NotificationTopic;
  readonly record: NotificationRecord;
  readonly replays: NotificationReplays;
}

/** What customers see and do with their notifications: one function shows, the other sends. */
export class NotificationCalls extends Construct {
  constructor(scope: Construct, id: string, props: NotificationCallsProps) {
    super(scope, id);
    const { stage, b2b, applications, notifications, record, replays } = props;
    const environment = {
      ...applications.environment,
      ...record.environment,
      ...notifications.environment,
    };
    const show = new MarqueeFunction(this, 'ShowNotifications', {
      stage,
      entry: 'notifications/show-notifications',
      description: 'Shows applications what was sent to them, and how their endpoints fare',
      environment: { ...environment, ...applications.cursorEnvironment, PUBLIC_BASE_URL: b2b.baseUrl },
    });
    const send = new MarqueeFunction(this, 'SendNotifications', {
      stage,
      entry: 'notifications/send-notifications',
      description: "Sends tests to an application's endpoints, and has notifications sent again",
      environment: { ...environment, ...replays.environment },
    });
    applications.grantRead(show, send);
    applications.grantCursors(show);
    record.grantShow(show);
    record.grantSend(send);
    for (const caller of [show, send]) notifications.grantListSubscriptions(caller);
    notifications.grantPublish(send);
    replays.grantRequest(send);
    b2b.mount(operations.listNotificationsOperation, show);
    b2b.mount(operations.listEndpointsOperation, show);
    b2b.mount(getReplayOperation, show);
    b2b.mount(startReplayOperation, send);
    b2b.mount(operations.sendTestOperation, send);
  }
}
