import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { signerWatchDependencies, signerWatchEnvironment } from '../waiter-dependencies.ts';
import { watchSignersHandler } from './handler.ts';

const environment = parseEnvironment(signerWatchEnvironment);
export type Environment = typeof environment;

export const handler = watchSignersHandler(signerWatchDependencies(environment));
