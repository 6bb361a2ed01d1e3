import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { mintBatchOperation } from '../../../shared/nft/http/operations.ts';
import { mintDependencies, paidCallEnvironment } from '../dependencies.ts';
import { mintBatchHandler } from './handler.ts';

const environment = parseEnvironment(z.object(paidCallEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(mintBatchOperation, mintBatchHandler(mintDependencies(environment)));
