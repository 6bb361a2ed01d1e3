import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { publisherDependencies, publisherEnvironment } from '../dependencies.ts';
import { publishChangesHandler } from './handler.ts';

const environment = parseEnvironment(publisherEnvironment);
export type Environment = typeof environment;

export const handler = publishChangesHandler(publisherDependencies(environment));
