import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import {
  notificationsDependencies,
  notificationsEnvironment,
} from '../../../shared/adapters/notifications-dependencies.ts';
import { cursorSecret } from '../../../shared/adapters/secrets/cursor-secret.ts';
import { snsClient } from '../../../shared/adapters/sns/client.ts';
import { snsSubscriptionStates } from '../../../shared/adapters/sns/subscription-states.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/http/operation-function.ts';
import {
  listEndpointsOperation,
  listNotificationsOperation,
} from '../../../shared/notifications/http/operations.ts';
import { getReplayOperation } from '../../../shared/notifications/http/replay-operations.ts';
import { getReplayHandler } from './get-replay.ts';
import { listEndpointsHandler } from './list-endpoints.ts';
import { listNotificationsHandler } from './list-notifications.ts';

const environment = parseEnvironment(
  z.object({
    ...notificationsEnvironment,
    TOPIC_ARN: z.string().min(1),
    CURSOR_SECRET_ARN: z.string().min(1),
    PUBLIC_BASE_URL: z.url(),
  }),
);
export type Environment = typeof environment;
const dependencies = {
  ...notificationsDependencies(environment, documentClient()),
  subscriptions: snsSubscriptionStates({
    client: snsClient({ maxAttempts: 2, requestTimeoutMilliseconds: 3_000 }),
    topicArn: environment.TOPIC_ARN,
  }),
  readCursorSecret: cursorSecret(environment.CURSOR_SECRET_ARN).read,
  clock: systemClock,
  url: `${environment.PUBLIC_BASE_URL}${listNotificationsOperation.route}`,
};

export const handler = operationsFunction([
  [
    listNotificationsOperation,
    operationFunction(listNotificationsOperation, listNotificationsHandler(dependencies)),
  ],
  [listEndpointsOperation, operationFunction(listEndpointsOperation, listEndpointsHandler(dependencies))],
  [getReplayOperation, operationFunction(getReplayOperation, getReplayHandler(dependencies))],
]);
