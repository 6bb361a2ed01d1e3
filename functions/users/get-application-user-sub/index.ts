import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { environmentsVerifier } from '../../../shared/adapters/oidc/access-token-verifier.ts';
import { usersDependencies, usersEnvironment } from '../../../shared/adapters/users-dependencies.ts';
import { oidcEnvironment } from '../../../shared/auth/access-token.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getApplicationUserSubOperation } from '../../../shared/users/http/operations.ts';
import { getApplicationUserSubHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...usersEnvironment,
    ...oidcEnvironment,
  }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  getApplicationUserSubOperation,
  getApplicationUserSubHandler({
    ...usersDependencies(environment, client),
    verifyAccessToken: environmentsVerifier(environment),
  }),
);
