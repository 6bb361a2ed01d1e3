import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getTokenOperation } from '../../../shared/nft/http/read-operations.ts';
import { tokenReadDependencies, tokenReadEnvironment } from '../dependencies.ts';
import { getTokenHandler } from './handler.ts';

const environment = parseEnvironment(z.object(tokenReadEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  getTokenOperation,
  getTokenHandler(tokenReadDependencies(environment)),
);
