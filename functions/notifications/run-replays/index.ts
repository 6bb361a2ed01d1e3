import { setTimeout as wait } from 'node:timers/promises';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbEndpoints } from '../../../shared/adapters/dynamodb/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/adapters/dynamodb/notification-records.ts';
import { dynamoDbReplays } from '../../../shared/adapters/dynamodb/replays.ts';
import { snsNotificationTopic } from '../../../shared/adapters/sns/notification-topic.ts';
import { sqsPutOffReplay } from '../../../shared/adapters/sqs/replay-queue.ts';
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
const client = documentClient();
const timeouts = {
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
};

export const handler = runReplaysHandler({
  records: dynamoDbNotificationRecords({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  replays: dynamoDbReplays({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  endpoints: dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE }),
  topic: snsNotificationTopic({ client: new SNSClient(timeouts), topicArn: environment.TOPIC_ARN }),
  putOff: sqsPutOffReplay({ client: new SQSClient(timeouts), queueUrl: environment.REPLAYS_QUEUE_URL }),
  clock: systemClock,
  wait: async (milliseconds) => {
    await wait(milliseconds);
  },
});
