import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { forgetDependencies, forgetEnvironment } from '../dependencies.ts';
import { forgetUsersHandler } from './handler.ts';

const environment = parseEnvironment(forgetEnvironment);
export type Environment = typeof environment;

export const handler = forgetUsersHandler(forgetDependencies(environment));
