import { Construct } from 'constructs';
import * as operations from '../../shared/notifications/http/operations.ts';
import {
  getReplayOperation,
  startReplayOperation,
} from '../../shared/notifications/http/replay-operations.ts';
import type { Applications } from '../applications.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { ServiceApi } from '../constructs/service-api.ts';
import type { NotificationReplays, NotificationReplaysProps } from './notification-replays.ts';

export interface NotificationCallsProps extends NotificationReplaysProps {
  readonly applications: Applications;
  readonly replays: NotificationReplays;
}

/** What customers see and do with their notifications: one function shows, the other sends. */
export class NotificationCalls extends Construct {
  constructor(scope: Construct, id: string, props: NotificationCallsProps) {
    super(scope, id);
    const { applications, notifications, record, replays } = props;
    const environment = {
      ...applications.environment,
      ...record.environment,
      ...notifications.environment,
    };
    new MarqueeFunction(this, 'notifications/show-notifications', {
      serves: [operations.listNotificationsOperation, operations.listEndpointsOperation, getReplayOperation],
      description: 'Shows applications what was sent to them, and how their endpoints fare',
      environment: {
        ...environment,
        ...applications.cursorEnvironment,
        PUBLIC_BASE_URL: ServiceApi.of(this, 'b2b').baseUrl,
      },
      may: [applications.read, applications.cursors, ...record.show, notifications.listSubscriptions],
    });
    new MarqueeFunction(this, 'notifications/send-notifications', {
      serves: [startReplayOperation, operations.sendTestOperation],
      description: "Sends tests to an application's endpoints, and has notifications sent again",
      environment: { ...environment, ...replays.environment },
      may: [
        applications.read,
        ...record.send,
        notifications.listSubscriptions,
        notifications.publish,
        replays.request,
      ],
    });
  }
}
