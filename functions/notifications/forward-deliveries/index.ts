import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { forwardDependencies, forwardEnvironment } from '../dependencies.ts';
import { forwardDeliveriesHandler } from './handler.ts';

const environment = parseEnvironment(forwardEnvironment);
export type Environment = typeof environment;

export const handler = forwardDeliveriesHandler(forwardDependencies(environment));
