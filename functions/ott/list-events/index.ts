import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { listEventsOperation } from '../../../shared/ott/http/operations.ts';
import { eventListDependencies, eventListEnvironment } from '../dependencies.ts';
import { listEventsHandler } from './handler.ts';

const environment = parseEnvironment(z.object(eventListEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  listEventsOperation,
  listEventsHandler({
    ...eventListDependencies(environment),
    url: `${environment.PUBLIC_BASE_URL}${listEventsOperation.documentedRoute}`,
  }),
);
