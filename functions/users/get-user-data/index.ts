import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { getUserDataOperation } from '../../../shared/users/http/operations.ts';
import { ownUserDependencies, ownUserEnvironment } from '../dependencies.ts';
import { getUserDataHandler } from './handler.ts';

const environment = parseEnvironment(ownUserEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  getUserDataOperation,
  getUserDataHandler(ownUserDependencies(environment)),
);
