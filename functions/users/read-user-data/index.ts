import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { readUserDataBatchOperation, readUserDataOperation } from '../../../shared/users/http/operations.ts';
import { userSubsDependencies, userSubsEnvironment } from '../dependencies.ts';
import { readUserDataHandler } from './handler.ts';
import { readUserDataBatchHandler } from './read-user-data-batch-handler.ts';

const environment = parseEnvironment(userSubsEnvironment);
export type Environment = typeof environment;
const dependencies = userSubsDependencies(environment);

export const handler = operationsFunction([
  [readUserDataOperation, operationFunction(readUserDataOperation, readUserDataHandler(dependencies))],
  [
    readUserDataBatchOperation,
    operationFunction(readUserDataBatchOperation, readUserDataBatchHandler(dependencies)),
  ],
]);
