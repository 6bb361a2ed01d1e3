import * as z from 'zod';
import { cachedApplications } from '../applications/cached.ts';
import { dynamoDbApplications } from './dynamodb/applications.ts';
import type { DocumentClient } from './dynamodb/client.ts';
import { dynamoDbEndpoints } from './dynamodb/endpoints.ts';
import { dynamoDbNotificationRecords } from './dynamodb/notification-records.ts';
import { dynamoDbReplays } from './dynamodb/replays.ts';

const tableName = z.string().min(1);

/** The environment of every call on an application's notifications. */
export const notificationsEnvironment = {
  APPLICATIONS_TABLE: tableName,
  NOTIFICATIONS_TABLE: tableName,
  ENDPOINTS_TABLE: tableName,
};

export const notificationsDependencies = (
  environment: z.output<z.ZodObject<typeof notificationsEnvironment>>,
  client: DocumentClient,
) => ({
  applications: cachedApplications(
    dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
  ),
  records: dynamoDbNotificationRecords({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  replays: dynamoDbReplays({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  endpoints: dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE }),
});
