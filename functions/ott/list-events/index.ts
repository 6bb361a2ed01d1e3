import { listEventsOperation } from '../../../shared/ott/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { eventListDependencies, eventListEnvironment } from '../dependencies.ts';
import { listEventsHandler } from './handler.ts';

const environment = parseEnvironment(eventListEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  listEventsOperation,
  listEventsHandler(eventListDependencies(environment)),
);
