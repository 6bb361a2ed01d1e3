import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbNfts } from '../../../shared/adapters/dynamodb/nfts.ts';
import {
  contractCallDependencies,
  contractCallEnvironment,
} from '../../../shared/adapters/nft-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { revokeTokenOperation } from '../../../shared/nft/http/operations.ts';
import { revokeTokenHandler } from './handler.ts';

const environment = parseEnvironment(z.object(contractCallEnvironment));
const client = documentClient();

export const handler = operationFunction(
  revokeTokenOperation,
  revokeTokenHandler({
    ...contractCallDependencies(environment, client),
    nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
  }),
);
