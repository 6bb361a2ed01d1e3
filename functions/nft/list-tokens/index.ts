import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { dynamoDbApplications } from '../../../shared/adapters/dynamodb/applications.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbContracts } from '../../../shared/adapters/dynamodb/contracts.ts';
import { dynamoDbNfts } from '../../../shared/adapters/dynamodb/nfts.ts';
import { secretReader } from '../../../shared/adapters/secrets/secret-reader.ts';
import { cachedApplications } from '../../../shared/applications/cached.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { listTokensOperation } from '../../../shared/nft/http/operations.ts';
import { listTokensHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    CONTRACTS_TABLE: z.string().min(1),
    NFTS_TABLE: z.string().min(1),
    APPLICATIONS_TABLE: z.string().min(1),
    CURSOR_SECRET_ARN: z.string().min(1),
    PUBLIC_BASE_URL: z.url(),
  }),
);
const client = documentClient();
const cursorSecret = secretReader({
  client: new SecretsManagerClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  }),
  secretId: environment.CURSOR_SECRET_ARN,
  schema: z.string().min(32),
});

export const handler = operationFunction(
  listTokensOperation,
  listTokensHandler({
    applications: cachedApplications(
      dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
    ),
    contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
    nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
    readCursorSecret: cursorSecret.read,
    publicBaseUrl: environment.PUBLIC_BASE_URL,
  }),
);
