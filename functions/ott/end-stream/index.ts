import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { callerDependencies, callerEnvironment } from '../../../shared/adapters/ott-dependencies.ts';
import { streamSessions } from '../../../shared/adapters/stream-sessions.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { endStreamOperation } from '../../../shared/ott/http/operations.ts';
import { endStreamHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...callerEnvironment,
    SESSIONS_TABLE: z.string().min(1),
    SESSION_SECONDS: z.coerce.number().int().positive(),
  }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  endStreamOperation,
  endStreamHandler({
    callers: callerDependencies(environment, client),
    sessions: streamSessions({ ...environment, client, tableName: environment.SESSIONS_TABLE }),
  }),
);
