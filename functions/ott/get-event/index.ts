import * as z from 'zod';
import { ottDependencies, ottEnvironment } from '../../../shared/adapters/ott-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getEventOperation } from '../../../shared/ott/http/operations.ts';
import { getEventHandler } from './handler.ts';

const environment = parseEnvironment(z.object(ottEnvironment));
export type Environment = typeof environment;
const { callers, audience, events } = ottDependencies(environment);

export const handler = operationFunction(getEventOperation, getEventHandler({ callers, audience, events }));
