import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbNfts } from '../../../shared/adapters/dynamodb/nfts.ts';
import { nftReadDependencies, nftReadEnvironment } from '../../../shared/adapters/nft-read-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getTokenOperation } from '../../../shared/nft/http/read-operations.ts';
import { getTokenHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...nftReadEnvironment,
    NFTS_TABLE: z.string().min(1),
  }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  getTokenOperation,
  getTokenHandler({
    ...nftReadDependencies(environment, client),
    nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
  }),
);
