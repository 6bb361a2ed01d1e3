import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getContractOperation } from '../../../shared/nft/http/read-operations.ts';
import { contractReadDependencies, contractReadEnvironment } from '../dependencies.ts';
import { getContractHandler } from './handler.ts';

const environment = parseEnvironment(z.object(contractReadEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  getContractOperation,
  getContractHandler(contractReadDependencies(environment)),
);
