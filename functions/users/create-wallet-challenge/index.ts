import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { dynamoDbApplications } from '../../../shared/adapters/dynamodb/applications.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbUsers } from '../../../shared/adapters/dynamodb/users.ts';
import { dynamoDbChallenges } from '../../../shared/adapters/dynamodb/wallets.ts';
import { environmentsVerifier } from '../../../shared/adapters/oidc/access-token-verifier.ts';
import { cachedApplications } from '../../../shared/applications/cached.ts';
import { oidcEnvironment } from '../../../shared/auth/access-token.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { createChallengeOperation } from '../../../shared/wallets/http/operations.ts';
import { createWalletChallengeHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...oidcEnvironment,
    APPLICATIONS_TABLE: z.string().min(1),
    USERS_TABLE: z.string().min(1),
    WALLETS_TABLE: z.string().min(1),
    CHAIN_ID: z.coerce.number().int().positive(),
    IS_EMAIL_TRUSTED: z.stringbool(),
  }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  createChallengeOperation,
  createWalletChallengeHandler({
    applications: cachedApplications(
      dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
    ),
    users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
    challenges: dynamoDbChallenges({ client, tableName: environment.WALLETS_TABLE }),
    chainId: environment.CHAIN_ID,
    isEmailTrusted: environment.IS_EMAIL_TRUSTED,
    clock: systemClock,
    randomHex: () => randomBytes(16).toString('hex'),
    verifyAccessToken: environmentsVerifier(environment),
  }),
);
