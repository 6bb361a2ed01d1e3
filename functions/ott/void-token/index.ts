import { unvoidTokenOperation, voidTokenOperation } from '../../../shared/ott/http/void-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { voidTokenDependencies, voidTokenEnvironment } from '../dependencies.ts';
import { unvoidTokenHandler, voidTokenHandler } from './handler.ts';

const environment = parseEnvironment(voidTokenEnvironment);
export type Environment = typeof environment;
const dependencies = voidTokenDependencies(environment);

export const handler = operationsFunction([
  [voidTokenOperation, operationFunction(voidTokenOperation, voidTokenHandler(dependencies))],
  [unvoidTokenOperation, operationFunction(unvoidTokenOperation, unvoidTokenHandler(dependencies))],
]);
