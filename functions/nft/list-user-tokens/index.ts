import { listUserTokensOperation } from '../../../shared/nft/http/user-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { userTokensDependencies, userTokensEnvironment } from '../dependencies.ts';
import { listUserTokensHandler } from './handler.ts';

const environment = parseEnvironment(userTokensEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  listUserTokensOperation,
  listUserTokensHandler(userTokensDependencies(environment)),
);
