import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { applySchedulesDependencies, applySchedulesEnvironment } from '../dependencies.ts';
import { applySchedulesHandler } from './handler.ts';

const environment = parseEnvironment(z.object(applySchedulesEnvironment));
export type Environment = typeof environment;

export const handler = applySchedulesHandler(applySchedulesDependencies(environment));
