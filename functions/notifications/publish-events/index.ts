import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { eventPublisherDependencies, eventPublisherEnvironment } from '../dependencies.ts';
import { publishEventsHandler } from './handler.ts';

const environment = parseEnvironment(eventPublisherEnvironment);
export type Environment = typeof environment;

export const handler = publishEventsHandler(eventPublisherDependencies(environment));
