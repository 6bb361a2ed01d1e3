import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { forwardDependencies, forwardEnvironment } from '../dependencies.ts';
import { forwardDeliveriesHandler } from './handler.ts';

const environment = parseEnvironment(z.object(forwardEnvironment));
export type Environment = typeof environment;

export const handler = forwardDeliveriesHandler(forwardDependencies(environment));
