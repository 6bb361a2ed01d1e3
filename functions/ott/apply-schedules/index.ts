import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { applySchedulesDependencies, applySchedulesEnvironment } from '../dependencies.ts';
import { applySchedulesHandler } from './handler.ts';

const environment = parseEnvironment(applySchedulesEnvironment);
export type Environment = typeof environment;

export const handler = applySchedulesHandler(applySchedulesDependencies(environment));
