import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/http/operation-function.ts';
import { unvoidTokenOperation, voidTokenOperation } from '../../../shared/ott/http/void-operations.ts';
import { voidTokenDependencies, voidTokenEnvironment } from '../dependencies.ts';
import { unvoidTokenHandler, voidTokenHandler } from './handler.ts';

const environment = parseEnvironment(z.object(voidTokenEnvironment));
export type Environment = typeof environment;
const dependencies = voidTokenDependencies(environment);

export const handler = operationsFunction([
  [voidTokenOperation, operationFunction(voidTokenOperation, voidTokenHandler(dependencies))],
  [unvoidTokenOperation, operationFunction(unvoidTokenOperation, unvoidTokenHandler(dependencies))],
]);
