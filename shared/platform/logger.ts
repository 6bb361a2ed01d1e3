import { Logger as StructuredLogger } from '@aws-lambda-powertools/logger';

/**
 * A function's structured log. Never log the event itself: it contains the API key or a token. Level and service name
 * come from `POWERTOOLS_LOG_LEVEL` and `POWERTOOLS_SERVICE_NAME`. No stage may set a level above INFO: lines of `info`
 * are the record of what editors change (`eventChangedCode`), and alarms count lines of `warn` by their `code`.
 */
export const logger = new StructuredLogger();

export interface Logger {
  debug(message: string, ...fields: Record<string, unknown>[]): void;
  info(message: string, ...fields: Record<string, unknown>[]): void;
  warn(message: string, ...fields: Record<string, unknown>[]): void;
  error(message: string, ...fields: Record<string, unknown>[]): void;
}
