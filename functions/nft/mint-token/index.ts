import * as z from 'zod';
import { mintTokenOperation } from '../../../shared/nft/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { issuingDependencies, issuingEnvironment } from '../dependencies.ts';
import { mintTokenHandler } from './handler.ts';

const environment = parseEnvironment(z.object({ ...issuingEnvironment, PUBLIC_BASE_URL: z.url() }));
export type Environment = typeof environment;

export const handler = operationFunction(
  mintTokenOperation,
  mintTokenHandler({
    ...issuingDependencies(environment),
    publicBaseUrl: environment.PUBLIC_BASE_URL,
  }),
);
