import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { contractCallEnvironment, tokenCallDependencies } from '../../../shared/adapters/nft-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { updateMetadataBatchOperation } from '../../../shared/nft/http/operations.ts';
import { updateMetadataBatchHandler } from './handler.ts';

const environment = parseEnvironment(z.object(contractCallEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  updateMetadataBatchOperation,
  updateMetadataBatchHandler(tokenCallDependencies(environment, documentClient())),
);
