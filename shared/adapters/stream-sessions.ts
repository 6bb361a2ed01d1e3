import { systemClock } from '../clock.ts';
import { logger } from '../logger.ts';
import { createStreamSessions, type StreamSessions } from '../ott/stream-sessions.ts';
import type { DocumentClient } from './dynamodb/client.ts';
import { dynamoDbSessions } from './dynamodb/sessions.ts';

/** The sessions of a function, by its environment. */
export const streamSessions = ({
  client,
  tableName,
  SESSION_SECONDS: sessionSeconds,
}: {
  readonly client: DocumentClient;
  readonly tableName: string;
  readonly SESSION_SECONDS: number;
}): StreamSessions =>
  createStreamSessions({
    store: dynamoDbSessions({ client, tableName }),
    clock: systemClock,
    random: Math.random,
    logger,
    sessionSeconds,
  });
