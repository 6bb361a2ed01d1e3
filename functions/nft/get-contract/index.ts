import * as z from 'zod';
import { getContractOperation } from '../../../shared/nft/http/read-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { contractReadDependencies, contractReadEnvironment } from '../dependencies.ts';
import { getContractHandler } from './handler.ts';

const environment = parseEnvironment(z.object(contractReadEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  getContractOperation,
  getContractHandler(contractReadDependencies(environment)),
);
