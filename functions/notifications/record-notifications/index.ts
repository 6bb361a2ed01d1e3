import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { recordDependencies, recordEnvironment } from '../dependencies.ts';
import { recordNotificationsHandler } from './handler.ts';

const environment = parseEnvironment(z.object(recordEnvironment));
export type Environment = typeof environment;

export const handler = recordNotificationsHandler(recordDependencies(environment));
