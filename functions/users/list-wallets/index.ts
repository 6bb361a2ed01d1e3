import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbUsers } from '../../../shared/adapters/dynamodb/users.ts';
import { dynamoDbWallets } from '../../../shared/adapters/dynamodb/wallets.ts';
import { environmentsVerifier } from '../../../shared/adapters/oidc/access-token-verifier.ts';
import { oidcEnvironment } from '../../../shared/auth/access-token.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { listWalletsOperation } from '../../../shared/wallets/http/operations.ts';
import { listWalletsHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({ ...oidcEnvironment, USERS_TABLE: z.string().min(1), WALLETS_TABLE: z.string().min(1) }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  listWalletsOperation,
  listWalletsHandler({
    users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
    wallets: dynamoDbWallets({ client, tableName: environment.WALLETS_TABLE }),
    verifyAccessToken: environmentsVerifier(environment),
  }),
);
