import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import {
  notificationsDependencies,
  notificationsEnvironment,
} from '../../../shared/adapters/notifications-dependencies.ts';
import { snsClient } from '../../../shared/adapters/sns/client.ts';
import { snsNotificationTopic } from '../../../shared/adapters/sns/notification-topic.ts';
import { snsSubscriptionStates } from '../../../shared/adapters/sns/subscription-states.ts';
import { sqsQueue } from '../../../shared/adapters/sqs/queue.ts';
import { sqsReplayQueue } from '../../../shared/adapters/sqs/replay-queue.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/http/operation-function.ts';
import { sendTestOperation } from '../../../shared/notifications/http/operations.ts';
import { startReplayOperation } from '../../../shared/notifications/http/replay-operations.ts';
import { newApplicationUserSub } from '../../../shared/users/application-user-sub.ts';
import { sendTestHandler } from './send-test.ts';
import { startReplayHandler } from './start-replay.ts';

const environment = parseEnvironment(
  z.object({
    ...notificationsEnvironment,
    TOPIC_ARN: z.string().min(1),
    REPLAYS_QUEUE_URL: z.string().min(1),
  }),
);
export type Environment = typeof environment;
const topic = {
  client: snsClient({ maxAttempts: 2, requestTimeoutMilliseconds: 3_000 }),
  topicArn: environment.TOPIC_ARN,
};
const dependencies = {
  ...notificationsDependencies(environment, documentClient()),
  topic: snsNotificationTopic(topic),
  subscriptions: snsSubscriptionStates(topic),
  enqueue: sqsReplayQueue(
    sqsQueue(environment.REPLAYS_QUEUE_URL, { maxAttempts: 2, requestTimeoutMilliseconds: 3_000 }),
  ),
  clock: systemClock,
  randomSub: newApplicationUserSub,
  randomId: () => randomBytes(16).toString('hex'),
};

export const handler = operationsFunction([
  [sendTestOperation, operationFunction(sendTestOperation, sendTestHandler(dependencies))],
  [startReplayOperation, operationFunction(startReplayOperation, startReplayHandler(dependencies))],
]);
