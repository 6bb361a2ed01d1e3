import * as z from 'zod';
import { cachedApplications } from '../applications/cached.ts';
import { dynamoDbApplicationUserSubs } from './dynamodb/application-user-subs.ts';
import { dynamoDbApplications } from './dynamodb/applications.ts';
import type { DocumentClient } from './dynamodb/client.ts';
import { dynamoDbUsers } from './dynamodb/users.ts';

const tableName = z.string().min(1);

/** The environment of every function that tells applications about users. */
export const usersEnvironment = {
  USERS_TABLE: tableName,
  SUBS_TABLE: tableName,
  APPLICATIONS_TABLE: tableName,
};

/** Users, their identifiers for each application, and the applications themselves. */
export const usersDependencies = (
  environment: z.output<z.ZodObject<typeof usersEnvironment>>,
  client: DocumentClient,
) => ({
  applications: cachedApplications(
    dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
  ),
  users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
  subs: dynamoDbApplicationUserSubs({ client, tableName: environment.SUBS_TABLE }),
});
