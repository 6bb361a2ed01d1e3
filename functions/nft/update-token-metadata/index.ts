import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { contractCallEnvironment, tokenCallDependencies } from '../../../shared/adapters/nft-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { updateTokenMetadataOperation } from '../../../shared/nft/http/operations.ts';
import { updateTokenMetadataHandler } from './handler.ts';

const environment = parseEnvironment(z.object(contractCallEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  updateTokenMetadataOperation,
  updateTokenMetadataHandler(tokenCallDependencies(environment, documentClient())),
);
