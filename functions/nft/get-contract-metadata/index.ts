import * as z from 'zod';
import { getContractMetadataOperation } from '../../../shared/nft/http/read-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { publicContractDependencies, publicContractEnvironment } from '../dependencies.ts';
import { getContractMetadataHandler } from './handler.ts';

const environment = parseEnvironment(z.object(publicContractEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  getContractMetadataOperation,
  getContractMetadataHandler(publicContractDependencies(environment)),
);
