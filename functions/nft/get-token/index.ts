import * as z from 'zod';
import { getTokenOperation } from '../../../shared/nft/http/read-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { tokenReadDependencies, tokenReadEnvironment } from '../dependencies.ts';
import { getTokenHandler } from './handler.ts';

const environment = parseEnvironment(z.object(tokenReadEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  getTokenOperation,
  getTokenHandler(tokenReadDependencies(environment)),
);
