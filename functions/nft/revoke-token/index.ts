import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { revokeTokenOperation } from '../../../shared/nft/http/operations.ts';
import { paidCallEnvironment, tokenCallDependencies } from '../dependencies.ts';
import { revokeTokenHandler } from './handler.ts';

const environment = parseEnvironment(z.object(paidCallEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  revokeTokenOperation,
  revokeTokenHandler(tokenCallDependencies(environment)),
);
