import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { environmentsVerifier } from '../../../shared/adapters/oidc/access-token-verifier.ts';
import { usersDependencies, usersEnvironment } from '../../../shared/adapters/users-dependencies.ts';
import { oidcEnvironment } from '../../../shared/auth/access-token.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { putUserDataOperation } from '../../../shared/users/http/operations.ts';
import { putUserDataHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...usersEnvironment,
    ...oidcEnvironment,
    READ_ONLY_KEYS: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
  }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  putUserDataOperation,
  putUserDataHandler({
    ...usersDependencies(environment, client),
    clock: systemClock,
    readOnlyKeys: environment.READ_ONLY_KEYS,
    verifyAccessToken: environmentsVerifier(environment),
  }),
);
