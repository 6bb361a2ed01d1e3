import { getStreamOperation } from '../../../shared/ott/http/operations.ts';
import { parseEnvironmentBy } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { streamDependencies, streamEnvironment } from '../dependencies.ts';
import { getStreamHandler } from './handler.ts';

const environment = parseEnvironmentBy(streamEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  getStreamOperation,
  getStreamHandler(streamDependencies(environment)),
  environment.PLAYBACK_SIGNING === 'cookies'
    ? { cors: { withCredentials: environment.PLAYBACK_ORIGINS } }
    : {},
);
