import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { contractCallEnvironment, mintDependencies } from '../../../shared/adapters/nft-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { mintTokenOperation } from '../../../shared/nft/http/operations.ts';
import { mintTokenHandler } from './handler.ts';

const environment = parseEnvironment(z.object({ ...contractCallEnvironment, PUBLIC_BASE_URL: z.url() }));
export type Environment = typeof environment;

export const handler = operationFunction(
  mintTokenOperation,
  mintTokenHandler({
    ...mintDependencies(environment, documentClient()),
    publicBaseUrl: environment.PUBLIC_BASE_URL,
  }),
);
