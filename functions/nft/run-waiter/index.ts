import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { waiterDependencies, waiterEnvironment } from '../waiter-dependencies.ts';
import { runWaiterHandler } from './handler.ts';

const environment = parseEnvironment(waiterEnvironment);
export type Environment = typeof environment;

export const handler = runWaiterHandler(waiterDependencies(environment));
