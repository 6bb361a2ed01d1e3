import * as z from 'zod';
import { getTokenMetadataOperation } from '../../../shared/nft/http/read-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { publicTokenDependencies, publicTokenEnvironment } from '../dependencies.ts';
import { getTokenMetadataHandler } from './handler.ts';

const environment = parseEnvironment(z.object(publicTokenEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  getTokenMetadataOperation,
  getTokenMetadataHandler(publicTokenDependencies(environment)),
);
