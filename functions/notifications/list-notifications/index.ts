import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import {
  notificationsDependencies,
  notificationsEnvironment,
} from '../../../shared/adapters/notifications-dependencies.ts';
import { secretReader } from '../../../shared/adapters/secrets/secret-reader.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { listNotificationsOperation } from '../../../shared/notifications/http/operations.ts';
import { listNotificationsHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...notificationsEnvironment,
    CURSOR_SECRET_ARN: z.string().min(1),
    PUBLIC_BASE_URL: z.url(),
  }),
);
const cursorSecret = secretReader({
  client: new SecretsManagerClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  }),
  secretId: environment.CURSOR_SECRET_ARN,
  schema: z.string().min(32),
});

export const handler = operationFunction(
  listNotificationsOperation,
  listNotificationsHandler({
    ...notificationsDependencies(environment, documentClient()),
    readCursorSecret: cursorSecret.read,
    clock: systemClock,
    url: `${environment.PUBLIC_BASE_URL}${listNotificationsOperation.route}`,
  }),
);
