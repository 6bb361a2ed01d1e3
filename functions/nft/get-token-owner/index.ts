import { getTokenOwnerOperation } from '../../../shared/nft/http/read-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { tokenOwnerDependencies, tokenOwnerEnvironment } from '../reading-dependencies.ts';
import { getTokenOwnerHandler } from './handler.ts';

const environment = parseEnvironment(tokenOwnerEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  getTokenOwnerOperation,
  getTokenOwnerHandler(tokenOwnerDependencies(environment)),
);
