import * as z from 'zod';
import { cachedApplications } from '../applications/cached.ts';
import { oidcEnvironment } from '../auth/access-token.ts';
import { systemClock } from '../clock.ts';
import { logger } from '../logger.ts';
import type { ResolveAudienceDependencies } from '../ott/audience.ts';
import type { IdentifyCallerDependencies } from '../ott/caller.ts';
import { type LocateRequest, locateByDistribution, locateByPeer } from '../ott/request-location.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { dynamoDbApplications } from './dynamodb/applications.ts';
import { type DocumentClient, documentClient } from './dynamodb/client.ts';
import { dynamoDbEvents } from './dynamodb/events.ts';
import { dynamoDbOutages, outageReporter } from './dynamodb/outages.ts';
import { entitlementSecretSchema, httpEntitlementService } from './entitlement/http-entitlement-service.ts';
import {
  geolocationSecretSchema,
  maxmindGeolocationService,
} from './geolocation/maxmind-geolocation-service.ts';
import { circuitGauge } from './metrics/circuit-gauge.ts';
import { environmentsVerifier } from './oidc/access-token-verifier.ts';
import { secretsClient } from './secrets/client.ts';
import { secretReader } from './secrets/secret-reader.ts';

/** The environment of every function that finds out which viewer calls. */
export const callerEnvironment = {
  ...oidcEnvironment,
  APPLICATIONS_TABLE: z.string().min(1),
  DEFAULT_APPLICATION_ID: z.string().min(1).optional(),
  /** Set where the stage is behind a distribution. */
  ORIGIN_VERIFY_SECRET_ARN: z.string().min(1).optional(),
};

/** The environment of the functions that show events. */
export const ottEnvironment = {
  ...callerEnvironment,
  EVENTS_TABLE: z.string().min(1),
  GRANTS_TABLE: z.string().min(1),
  ENTITLEMENT_URL: z.url(),
  ENTITLEMENT_SECRET_ARN: z.string().min(1),
  GEOLOCATION_URL: z.url(),
  GEOLOCATION_SECRET_ARN: z.string().min(1),
  GEOLOCATION_CACHE_SECONDS: z.coerce.number().int().min(0),
};

const originVerifySchema = z.object({ values: z.array(z.string().min(16)).min(1).max(2) });

const secrets = () => {
  // Reading a secret is part of an answer that must be there within four seconds.
  const client = secretsClient({ connectionTimeoutMilliseconds: 500, requestTimeoutMilliseconds: 1_000 });
  return <Value>(secretId: string, schema: z.ZodType<Value>) => secretReader({ client, secretId, schema });
};

/** Who calls: the token, the application, and where the request comes from. */
export const callerDependencies = (
  environment: z.output<z.ZodObject<typeof callerEnvironment>>,
  client: DocumentClient,
  secret: ReturnType<typeof secrets> = secrets(),
): IdentifyCallerDependencies => {
  const { ORIGIN_VERIFY_SECRET_ARN: originVerifyArn } = environment;
  const originVerify =
    originVerifyArn === undefined ? undefined : secret(originVerifyArn, originVerifySchema);
  const locate: LocateRequest =
    originVerify === undefined
      ? locateByPeer
      : locateByDistribution({ readOriginValues: async () => (await originVerify.read()).values });
  return {
    verifyAccessToken: environmentsVerifier(environment),
    applications: cachedApplications(
      dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
    ),
    defaultApplicationId: environment.DEFAULT_APPLICATION_ID,
    locate,
  };
};

/** What the functions that show events share: who calls, what the outside services say of the caller, and the catalogue. */
export const ottDependencies = (environment: z.output<z.ZodObject<typeof ottEnvironment>>) => {
  const client = documentClient();
  const secret = secrets();

  const breakerOf = (
    service: string,
    options: Pick<Parameters<typeof circuitBreaker>[0], 'fields' | 'isHanging'> = {},
  ) => {
    const namespace = environment.POWERTOOLS_METRICS_NAMESPACE;
    return circuitBreaker({ service, ...options, logger, gauge: circuitGauge({ service, namespace }) });
  };

  const outages = dynamoDbOutages({ client, tableName: environment.GRANTS_TABLE });
  const reporterOf = (service: string) => outageReporter(outages, { service, clock: systemClock });

  return {
    client,
    secret,
    breakerOf,
    events: dynamoDbEvents({ client, tableName: environment.EVENTS_TABLE }),
    callers: callerDependencies(environment, client, secret),
    audience: {
      entitlement: httpEntitlementService({
        url: environment.ENTITLEMENT_URL,
        secret: secret(environment.ENTITLEMENT_SECRET_ARN, entitlementSecretSchema),
        logger,
        breaker: breakerOf('entitlement'),
        onOutage: reporterOf('entitlement'),
      }),
      geolocation: maxmindGeolocationService({
        url: environment.GEOLOCATION_URL,
        secret: secret(environment.GEOLOCATION_SECRET_ARN, geolocationSecretSchema),
        cacheSeconds: environment.GEOLOCATION_CACHE_SECONDS,
        logger,
        breaker: breakerOf('geolocation'),
        onOutage: reporterOf('geolocation'),
      }),
    } satisfies ResolveAudienceDependencies,
  };
};
