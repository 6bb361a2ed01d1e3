/** What functions of several areas are made of. A bundle holds only what its function takes of it. */
import * as z from 'zod';
import { type CircuitBreaker, circuitBreaker } from '../shared/adapters/circuit-breaker.ts';
import { dynamoDbApplications } from '../shared/adapters/dynamodb/applications.ts';
import type { DocumentClient } from '../shared/adapters/dynamodb/client.ts';
import { circuitGauge } from '../shared/adapters/metrics/circuit-gauge.ts';
import {
  createEndpoints,
  type EndpointOptions,
  type Endpoints,
} from '../shared/adapters/polygon/endpoints.ts';
import { rpcSecret } from '../shared/adapters/polygon/rpc-secret.ts';
import { secretsClient } from '../shared/adapters/secrets/client.ts';
import { secretReader } from '../shared/adapters/secrets/secret-reader.ts';
import { cachedApplications } from '../shared/applications/cached.ts';
import { systemClock } from '../shared/clock.ts';
import { logger } from '../shared/logger.ts';

/** The name of a table, a queue, a secret and the like. */
export const resourceName = z.string().min(1);
export const wholeNumber = z.string().regex(/^\d+$/).transform(Number);

/** What a function's schema makes of its variables. */
export type Parsed<Environment extends z.ZodRawShape> = z.output<z.ZodObject<Environment>>;

/** The applications that call, by their key or their OAuth client. */
export const callingApplications = (
  { APPLICATIONS_TABLE: tableName }: { readonly APPLICATIONS_TABLE: string },
  client: DocumentClient,
) => cachedApplications(dynamoDbApplications({ client, tableName }));

/** The environment of a function whose answers have cursors. */
export const cursorEnvironment = { CURSOR_SECRET_ARN: resourceName, PUBLIC_BASE_URL: z.url() };

/** Reads the key that signs cursors. */
export const cursorSecretReader = (
  { CURSOR_SECRET_ARN: secretId }: Pick<Parsed<typeof cursorEnvironment>, 'CURSOR_SECRET_ARN'>,
  client = secretsClient({ requestTimeoutMilliseconds: 2_000 }),
) => secretReader({ client, secretId, schema: z.string().min(32) }).read;

/** The environment of a function that asks the chain. */
export const chainEnvironment = { CHAIN_ID: wholeNumber, CHAIN_SECRET_ARN: resourceName };

/** The chain's RPC endpoints. Take only the questions that are asked of them: a cold start loads each. */
export const rpcEndpoints = (
  environment: Parsed<typeof chainEnvironment>,
  {
    secrets = secretsClient(),
    ...options
  }: Omit<EndpointOptions, 'chainId' | 'urls' | 'clock'> & {
    readonly secrets?: ReturnType<typeof secretsClient>;
  } = {},
): Endpoints =>
  createEndpoints({
    chainId: environment.CHAIN_ID,
    urls: rpcSecret({ client: secrets, secretId: environment.CHAIN_SECRET_ARN }),
    clock: systemClock,
    ...options,
  });

/** A breaker of an outside service, whose state is a metric. */
export const breakerOf = (
  { POWERTOOLS_METRICS_NAMESPACE: namespace }: { readonly POWERTOOLS_METRICS_NAMESPACE: string },
  options: Pick<Parameters<typeof circuitBreaker>[0], 'service' | 'fields' | 'isHanging'>,
): CircuitBreaker =>
  circuitBreaker({ ...options, logger, gauge: circuitGauge({ service: options.service, namespace }) });

/** A breaker of each RPC endpoint. */
export const rpcBreakers =
  (environment: Parameters<typeof breakerOf>[0]): NonNullable<EndpointOptions['breakerOf']> =>
  ({ host, isHanging }) =>
    breakerOf(environment, { service: 'rpc', fields: { endpoint: host }, isHanging });
