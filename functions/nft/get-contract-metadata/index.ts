import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getContractMetadataOperation } from '../../../shared/nft/http/read-operations.ts';
import { publicContractDependencies, publicContractEnvironment } from '../dependencies.ts';
import { getContractMetadataHandler } from './handler.ts';

const environment = parseEnvironment(z.object(publicContractEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  getContractMetadataOperation,
  getContractMetadataHandler(publicContractDependencies(environment)),
);
