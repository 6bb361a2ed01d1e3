import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { redeliverDueDependencies, redeliverDueEnvironment } from '../dependencies.ts';
import { redeliverDueHandler } from './handler.ts';

const environment = parseEnvironment(z.object(redeliverDueEnvironment));
export type Environment = typeof environment;

export const handler = redeliverDueHandler(redeliverDueDependencies(environment));
