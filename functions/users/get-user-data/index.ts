import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbUsers } from '../../../shared/adapters/dynamodb/users.ts';
import { environmentsVerifier } from '../../../shared/adapters/oidc/access-token-verifier.ts';
import { oidcEnvironment } from '../../../shared/auth/access-token.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getUserDataOperation } from '../../../shared/users/http/operations.ts';
import { getUserDataHandler } from './handler.ts';

const environment = parseEnvironment(z.object({ USERS_TABLE: z.string().min(1), ...oidcEnvironment }));
export type Environment = typeof environment;

export const handler = operationFunction(
  getUserDataOperation,
  getUserDataHandler({
    users: dynamoDbUsers({ client: documentClient(), tableName: environment.USERS_TABLE }),
    verifyAccessToken: environmentsVerifier(environment),
  }),
);
