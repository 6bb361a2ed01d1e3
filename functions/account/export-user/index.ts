import { exportUserOperation } from '../../../shared/account/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { exportDependencies, exportEnvironment } from '../dependencies.ts';
import { exportUserHandler } from './handler.ts';

const environment = parseEnvironment(exportEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  exportUserOperation,
  exportUserHandler(exportDependencies(environment)),
);
