import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbUsers } from '../../../shared/adapters/dynamodb/users.ts';
import { dynamoDbChallenges, dynamoDbWallets } from '../../../shared/adapters/dynamodb/wallets.ts';
import { environmentsVerifier } from '../../../shared/adapters/oidc/access-token-verifier.ts';
import { chainContractSignatures } from '../../../shared/adapters/polygon/contract-signatures.ts';
import { createEndpoints } from '../../../shared/adapters/polygon/endpoints.ts';
import { rpcSecret } from '../../../shared/adapters/polygon/rpc-secret.ts';
import { secretsClient } from '../../../shared/adapters/secrets/client.ts';
import { oidcEnvironment } from '../../../shared/auth/access-token.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { linkWalletOperation } from '../../../shared/wallets/http/operations.ts';
import { linkWalletHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...oidcEnvironment,
    USERS_TABLE: z.string().min(1),
    WALLETS_TABLE: z.string().min(1),
    CHAIN_ID: z.coerce.number().int().positive(),
    CHAIN_SECRET_ARN: z.string().min(1),
    TICKET_SECONDS: z.coerce.number().int().positive(),
  }),
);
export type Environment = typeof environment;
const client = documentClient();

/** For all endpoints together: a wallet's contract that never ends is not asked about a second time. */
const judgementMilliseconds = 3_000;

export const handler = operationFunction(
  linkWalletOperation,
  linkWalletHandler({
    users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
    wallets: dynamoDbWallets({
      client,
      tableName: environment.WALLETS_TABLE,
      usersTableName: environment.USERS_TABLE,
    }),
    challenges: dynamoDbChallenges({ client, tableName: environment.WALLETS_TABLE }),
    contracts: chainContractSignatures(
      createEndpoints({
        chainId: environment.CHAIN_ID,
        urls: rpcSecret({ client: secretsClient(), secretId: environment.CHAIN_SECRET_ARN }),
        clock: systemClock,
        requestTimeoutMilliseconds: judgementMilliseconds,
        questionTimeoutMilliseconds: judgementMilliseconds,
      }),
    ),
    ticketSeconds: environment.TICKET_SECONDS,
    clock: systemClock,
    verifyAccessToken: environmentsVerifier(environment),
  }),
);
