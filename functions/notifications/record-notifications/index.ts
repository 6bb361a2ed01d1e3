import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { recorderDependencies, recorderEnvironment } from '../dependencies.ts';
import { recordNotificationsHandler } from './handler.ts';

const environment = parseEnvironment(z.object(recorderEnvironment));
export type Environment = typeof environment;

export const handler = recordNotificationsHandler(recorderDependencies(environment));
