import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { redeliveryEnvironment, runReplaysDependencies } from '../dependencies.ts';
import { runReplaysHandler } from './handler.ts';

const environment = parseEnvironment(redeliveryEnvironment);
export type Environment = typeof environment;

export const handler = runReplaysHandler(runReplaysDependencies(environment));
