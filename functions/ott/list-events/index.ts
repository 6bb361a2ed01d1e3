import * as z from 'zod';
import { ottDependencies, ottEnvironment } from '../../../shared/adapters/ott-dependencies.ts';
import { withPartitionHeads } from '../../../shared/adapters/partition-heads.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { listEventsOperation } from '../../../shared/ott/http/operations.ts';
import { listEventsHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({ ...ottEnvironment, CURSOR_SECRET_ARN: z.string().min(1), PUBLIC_BASE_URL: z.url() }),
);
export type Environment = typeof environment;
const { secret, callers, audience, events } = ottDependencies(environment);
const cursorSecret = secret(environment.CURSOR_SECRET_ARN, z.string().min(32));

export const handler = operationFunction(
  listEventsOperation,
  listEventsHandler({
    callers,
    audience,
    events: withPartitionHeads(events),
    readCursorSecret: cursorSecret.read,
    url: `${environment.PUBLIC_BASE_URL}${listEventsOperation.documentedRoute}`,
  }),
);
