import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { checkStageDependencies, checkStageEnvironment } from './dependencies.ts';
import { checkStageHandler } from './handler.ts';

const environment = parseEnvironment(z.object(checkStageEnvironment));
export type Environment = typeof environment;

export const handler = checkStageHandler(checkStageDependencies(environment));
