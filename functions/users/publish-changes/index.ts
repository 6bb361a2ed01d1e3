import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { dynamoDbApplicationUserSubs } from '../../../shared/adapters/dynamodb/application-user-subs.ts';
import { dynamoDbApplications } from '../../../shared/adapters/dynamodb/applications.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbEndpoints } from '../../../shared/adapters/dynamodb/endpoints.ts';
import { toldInRecord } from '../../../shared/adapters/dynamodb/stream-records.ts';
import { snsClient } from '../../../shared/adapters/sns/client.ts';
import { snsNotificationTopic } from '../../../shared/adapters/sns/notification-topic.ts';
import { sqsFailedChanges } from '../../../shared/adapters/sqs/failed-changes.ts';
import { sqsQueue } from '../../../shared/adapters/sqs/queue.ts';
import { listWhileUnchanged } from '../../../shared/applications/cached.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { logger } from '../../../shared/logger.ts';
import { isOutage } from '../../../shared/outage.ts';
import { publishChangesHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    SUBS_TABLE: z.string().min(1),
    APPLICATIONS_TABLE: z.string().min(1),
    ENDPOINTS_TABLE: z.string().min(1),
    TOPIC_ARN: z.string().min(1),
    FAILED_CHANGES_QUEUE_URL: z.url(),
  }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = publishChangesHandler({
  applications: listWhileUnchanged(
    dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
  ),
  subs: dynamoDbApplicationUserSubs({ client, tableName: environment.SUBS_TABLE }),
  endpoints: dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE }),
  topic: snsNotificationTopic({
    // The publisher itself makes the three tries.
    client: snsClient({ maxAttempts: 1, requestTimeoutMilliseconds: 5_000 }),
    topicArn: environment.TOPIC_ARN,
  }),
  failedChanges: sqsFailedChanges(
    sqsQueue(environment.FAILED_CHANGES_QUEUE_URL, { maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }),
  ),
  toldInRecord,
  isOutage,
  pause: (tried) => setTimeout(200 * 2 ** tried),
  logger,
});
