import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { publisherDependencies, publisherEnvironment } from '../dependencies.ts';
import { publishChangesHandler } from './handler.ts';

const environment = parseEnvironment(z.object(publisherEnvironment));
export type Environment = typeof environment;

export const handler = publishChangesHandler(publisherDependencies(environment));
