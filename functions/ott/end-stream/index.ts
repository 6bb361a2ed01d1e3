import { endStreamOperation } from '../../../shared/ott/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { endStreamDependencies, endStreamEnvironment } from '../dependencies.ts';
import { endStreamHandler } from './handler.ts';

const environment = parseEnvironment(endStreamEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  endStreamOperation,
  endStreamHandler(endStreamDependencies(environment)),
);
