import * as z from 'zod';
import { setDestinationOperation } from '../../../shared/nft/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { issuingDependencies, issuingEnvironment } from '../dependencies.ts';
import { setTokenDestinationHandler } from './handler.ts';

const environment = parseEnvironment(z.object(issuingEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  setDestinationOperation,
  setTokenDestinationHandler(issuingDependencies(environment)),
);
