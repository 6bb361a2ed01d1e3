import * as z from 'zod';
import { dynamoDbApplications } from '../../../shared/adapters/dynamodb/applications.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbContracts } from '../../../shared/adapters/dynamodb/contracts.ts';
import { dynamoDbNfts } from '../../../shared/adapters/dynamodb/nfts.ts';
import { cachedApplications } from '../../../shared/applications/cached.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { getTokenOperation } from '../../../shared/nft/http/operations.ts';
import { getTokenHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    CONTRACTS_TABLE: z.string().min(1),
    NFTS_TABLE: z.string().min(1),
    APPLICATIONS_TABLE: z.string().min(1),
  }),
);
const client = documentClient();

export const handler = operationFunction(
  getTokenOperation,
  getTokenHandler({
    applications: cachedApplications(
      dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
    ),
    contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
    nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
  }),
);
