import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import {
  notificationsDependencies,
  notificationsEnvironment,
  snsClient,
} from '../../../shared/adapters/notifications-dependencies.ts';
import { snsSubscriptionStates } from '../../../shared/adapters/sns/subscription-states.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { listEndpointsOperation } from '../../../shared/notifications/http/operations.ts';
import { listEndpointsHandler } from './handler.ts';

const environment = parseEnvironment(z.object({ ...notificationsEnvironment, TOPIC_ARN: z.string().min(1) }));

export const handler = operationFunction(
  listEndpointsOperation,
  listEndpointsHandler({
    ...notificationsDependencies(environment, documentClient()),
    subscriptions: snsSubscriptionStates({ client: snsClient(), topicArn: environment.TOPIC_ARN }),
    clock: systemClock,
  }),
);
