import * as z from 'zod';
import { dynamoDbApplicationUserSubs } from '../../../shared/adapters/dynamodb/application-user-subs.ts';
import { dynamoDbApplications } from '../../../shared/adapters/dynamodb/applications.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbUsers } from '../../../shared/adapters/dynamodb/users.ts';
import { cachedApplications } from '../../../shared/applications/cached.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { readUserDataOperation } from '../../../shared/users/operations.ts';
import { readUserDataHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    USERS_TABLE: z.string().min(1),
    SUBS_TABLE: z.string().min(1),
    APPLICATIONS_TABLE: z.string().min(1),
  }),
);
const client = documentClient();

export const handler = operationFunction(
  readUserDataOperation,
  readUserDataHandler({
    applications: cachedApplications(
      dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
    ),
    users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
    subs: dynamoDbApplicationUserSubs({ client, tableName: environment.SUBS_TABLE }),
  }),
);
