import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getEventOperation } from '../../../shared/ott/http/operations.ts';
import { eventDependencies, eventEnvironment } from '../dependencies.ts';
import { getEventHandler } from './handler.ts';

const environment = parseEnvironment(z.object(eventEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(getEventOperation, getEventHandler(eventDependencies(environment)));
