import { mintBatchOperation } from '../../../shared/nft/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { issuingDependencies, issuingEnvironment } from '../token-dependencies.ts';
import { mintBatchHandler } from './handler.ts';

const environment = parseEnvironment(issuingEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  mintBatchOperation,
  mintBatchHandler(issuingDependencies(environment)),
);
