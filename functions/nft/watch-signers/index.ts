import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { signerWatchDependencies, signerWatchEnvironment } from '../dependencies.ts';
import { watchSignersHandler } from './handler.ts';

const environment = parseEnvironment(z.object(signerWatchEnvironment));
export type Environment = typeof environment;

export const handler = watchSignersHandler(signerWatchDependencies(environment));
