import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbContracts } from '../../../shared/adapters/dynamodb/contracts.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getContractMetadataOperation } from '../../../shared/nft/http/read-operations.ts';
import { getContractMetadataHandler } from './handler.ts';

const environment = parseEnvironment(z.object({ CONTRACTS_TABLE: z.string().min(1) }));
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  getContractMetadataOperation,
  getContractMetadataHandler({
    contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
  }),
);
