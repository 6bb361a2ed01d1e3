import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { exchangeUserSubsOperation } from '../../../shared/users/http/operations.ts';
import { userSubsDependencies, userSubsEnvironment } from '../dependencies.ts';
import { exchangeUserSubsHandler } from './handler.ts';

const environment = parseEnvironment(userSubsEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  exchangeUserSubsOperation,
  exchangeUserSubsHandler(userSubsDependencies(environment)),
);
