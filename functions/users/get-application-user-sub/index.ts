import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { getApplicationUserSubOperation } from '../../../shared/users/http/operations.ts';
import { ownUserSubDependencies, ownUserSubEnvironment } from '../dependencies.ts';
import { getApplicationUserSubHandler } from './handler.ts';

const environment = parseEnvironment(ownUserSubEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  getApplicationUserSubOperation,
  getApplicationUserSubHandler(ownUserSubDependencies(environment)),
);
