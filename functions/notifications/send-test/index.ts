import * as z from 'zod';
import { dynamoDbApplications } from '../../../shared/adapters/dynamodb/applications.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbEndpoints } from '../../../shared/adapters/dynamodb/endpoints.ts';
import { snsClient } from '../../../shared/adapters/notifications-dependencies.ts';
import { snsNotificationTopic } from '../../../shared/adapters/sns/notification-topic.ts';
import { cachedApplications } from '../../../shared/applications/cached.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { sendTestOperation } from '../../../shared/notifications/http/operations.ts';
import { newApplicationUserSub } from '../../../shared/users/application-user-sub.ts';
import { sendTestHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    APPLICATIONS_TABLE: z.string().min(1),
    ENDPOINTS_TABLE: z.string().min(1),
    TOPIC_ARN: z.string().min(1),
  }),
);
const client = documentClient();

export const handler = operationFunction(
  sendTestOperation,
  sendTestHandler({
    applications: cachedApplications(
      dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
    ),
    endpoints: dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE }),
    topic: snsNotificationTopic({ client: snsClient(), topicArn: environment.TOPIC_ARN }),
    clock: systemClock,
    randomSub: newApplicationUserSub,
  }),
);
