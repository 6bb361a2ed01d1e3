import { eraseUserOperation } from '../../../shared/account/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { eraseDependencies, eraseEnvironment } from '../dependencies.ts';
import { eraseUserHandler } from './handler.ts';

const environment = parseEnvironment(eraseEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  eraseUserOperation,
  eraseUserHandler(eraseDependencies(environment)),
);
