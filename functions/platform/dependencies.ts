/** Environment variables and dependencies that several areas share. esbuild keeps only what a function uses. */
import * as z from 'zod';
import { cachedApplications } from '../../shared/platform/applications/cached-applications.ts';
import { circuitGauge } from '../../shared/platform/aws/circuit-gauge.ts';
import { cursorSecretSchema } from '../../shared/platform/aws/own-secrets.ts';
import { secretReader } from '../../shared/platform/aws/secret-reader.ts';
import { secretsClient } from '../../shared/platform/aws/secrets-client.ts';
import { logger } from '../../shared/platform/logger.ts';
import { type CircuitBreaker, circuitBreaker } from '../../shared/platform/outside/circuit-breaker.ts';
import { dynamoDbApplications } from '../../shared/platform/store/applications.ts';
import type { DocumentClient } from '../../shared/platform/store/client.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';

export const resourceName = z.string().min(1);
export const wholeNumber = z.string().regex(/^\d+$/).transform(Number);
export const positiveNumber = wholeNumber.pipe(z.int().positive());

export type Parsed<Environment extends z.ZodRawShape> = z.output<z.ZodObject<Environment>>;

export const callingApplications = (
  { APPLICATIONS_TABLE: tableName }: { readonly APPLICATIONS_TABLE: string },
  client: DocumentClient,
  clock = systemClock,
) => cachedApplications(dynamoDbApplications({ client, tableName }), clock);

export const cursorEnvironment = { CURSOR_SECRET_ARN: resourceName };

export const cursorSecretReader = (
  { CURSOR_SECRET_ARN: secretId }: Pick<Parsed<typeof cursorEnvironment>, 'CURSOR_SECRET_ARN'>,
  client = secretsClient({ requestTimeoutMilliseconds: 2_000 }),
) => secretReader({ client, secretId, schema: cursorSecretSchema }).read;

export const breakerOf = (
  { POWERTOOLS_METRICS_NAMESPACE: namespace }: { readonly POWERTOOLS_METRICS_NAMESPACE: string },
  options: Pick<Parameters<typeof circuitBreaker>[0], 'service' | 'fields' | 'isHanging'>,
): CircuitBreaker =>
  circuitBreaker({ ...options, logger, gauge: circuitGauge({ service: options.service, namespace }) });
