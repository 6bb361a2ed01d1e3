import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbContracts } from '../../../shared/adapters/dynamodb/contracts.ts';
import { dynamoDbNfts } from '../../../shared/adapters/dynamodb/nfts.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getTokenMetadataOperation } from '../../../shared/nft/http/read-operations.ts';
import { getTokenMetadataHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({ CONTRACTS_TABLE: z.string().min(1), NFTS_TABLE: z.string().min(1) }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  getTokenMetadataOperation,
  getTokenMetadataHandler({
    contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
    nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
  }),
);
