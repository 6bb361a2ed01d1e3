import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { runReplaysDependencies, runReplaysEnvironment } from '../dependencies.ts';
import { runReplaysHandler } from './handler.ts';

const environment = parseEnvironment(z.object(runReplaysEnvironment));
export type Environment = typeof environment;

export const handler = runReplaysHandler(runReplaysDependencies(environment));
