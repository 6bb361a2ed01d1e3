import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { eventPublisherDependencies, eventPublisherEnvironment } from '../dependencies.ts';
import { publishEventsHandler } from './handler.ts';

const environment = parseEnvironment(z.object(eventPublisherEnvironment));
export type Environment = typeof environment;

export const handler = publishEventsHandler(eventPublisherDependencies(environment));
