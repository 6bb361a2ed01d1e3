import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getTokenMetadataOperation } from '../../../shared/nft/http/read-operations.ts';
import { publicTokenDependencies, publicTokenEnvironment } from '../dependencies.ts';
import { getTokenMetadataHandler } from './handler.ts';

const environment = parseEnvironment(z.object(publicTokenEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  getTokenMetadataOperation,
  getTokenMetadataHandler(publicTokenDependencies(environment)),
);
