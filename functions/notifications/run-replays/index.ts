import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbEndpoints } from '../../../shared/adapters/dynamodb/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/adapters/dynamodb/notification-records.ts';
import { dynamoDbReplays } from '../../../shared/adapters/dynamodb/replays.ts';
import { snsClient } from '../../../shared/adapters/sns/client.ts';
import { snsNotificationTopic } from '../../../shared/adapters/sns/notification-topic.ts';
import { sqsQueue } from '../../../shared/adapters/sqs/queue.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { runReplaysHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    NOTIFICATIONS_TABLE: z.string().min(1),
    ENDPOINTS_TABLE: z.string().min(1),
    TOPIC_ARN: z.string().min(1),
    REPLAYS_QUEUE_URL: z.string().min(1),
  }),
);
export type Environment = typeof environment;
const client = documentClient();
const patience = { maxAttempts: 5, requestTimeoutMilliseconds: 5_000 };
const queue = sqsQueue(environment.REPLAYS_QUEUE_URL, patience);

export const handler = runReplaysHandler({
  records: dynamoDbNotificationRecords({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  replays: dynamoDbReplays({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  endpoints: dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE }),
  topic: snsNotificationTopic({ client: snsClient(patience), topicArn: environment.TOPIC_ARN }),
  putOff: queue.changeVisibility,
  clock: systemClock,
  wait: async (milliseconds) => {
    await wait(milliseconds);
  },
});
