import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { contractCallEnvironment, mintDependencies } from '../../../shared/adapters/nft-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { mintBatchOperation } from '../../../shared/nft/http/operations.ts';
import { mintBatchHandler } from './handler.ts';

const environment = parseEnvironment(z.object(contractCallEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  mintBatchOperation,
  mintBatchHandler(mintDependencies(environment, documentClient())),
);
