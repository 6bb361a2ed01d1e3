import { previewErasureOperation } from '../../../shared/account/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { previewDependencies, previewEnvironment } from '../dependencies.ts';
import { previewErasureHandler } from './handler.ts';

const environment = parseEnvironment(previewEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  previewErasureOperation,
  previewErasureHandler(previewDependencies(environment)),
);
