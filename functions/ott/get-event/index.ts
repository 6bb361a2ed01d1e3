import { getEventOperation } from '../../../shared/ott/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { eventDependencies, eventEnvironment } from '../dependencies.ts';
import { getEventHandler } from './handler.ts';

const environment = parseEnvironment(eventEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(getEventOperation, getEventHandler(eventDependencies(environment)));
