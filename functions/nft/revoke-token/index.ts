import { revokeTokenOperation } from '../../../shared/nft/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { tokenCallDependencies, tokenCallEnvironment } from '../token-dependencies.ts';
import { revokeTokenHandler } from './handler.ts';

const environment = parseEnvironment(tokenCallEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  revokeTokenOperation,
  revokeTokenHandler(tokenCallDependencies(environment)),
);
