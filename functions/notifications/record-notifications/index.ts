import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbEndpoints } from '../../../shared/adapters/dynamodb/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/adapters/dynamodb/notification-records.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { logger } from '../../../shared/logger.ts';
import { endpointFinder } from '../../../shared/notifications/find-endpoint.ts';
import { recordNotificationsHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({ NOTIFICATIONS_TABLE: z.string().min(1), ENDPOINTS_TABLE: z.string().min(1) }),
);
export type Environment = typeof environment;
const client = documentClient();
const endpoints = dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE });

export const handler = recordNotificationsHandler({
  records: dynamoDbNotificationRecords({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  endpoints,
  findEndpoint: endpointFinder({ endpoints }),
  clock: systemClock,
  logger,
});
