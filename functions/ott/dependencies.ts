/** Environment variables and dependencies of the OTT functions. esbuild keeps only what a function uses. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { dynamoDbHeldTokens } from '../../shared/nft/store/held-tokens.ts';
import {
  playbackSecretSchema,
  signedCookies,
  signedUrls,
  unsignedPlayback,
} from '../../shared/ott/aws/playback-signer.ts';
import {
  entitlementSecretSchema,
  httpEntitlementService,
} from '../../shared/ott/outside/http-entitlement-service.ts';
import {
  geolocationSecretSchema,
  maxmindGeolocationService,
} from '../../shared/ott/outside/maxmind-geolocation-service.ts';
import type { LoggedChange } from '../../shared/ott/ports/event-history.ts';
import { noGeolocation } from '../../shared/ott/ports/geolocation.ts';
import type { PlaybackSigner } from '../../shared/ott/ports/playback-signer.ts';
import { chainTicketHoldings } from '../../shared/ott/rpc/ticket-holdings.ts';
import { cachedContractApplications } from '../../shared/ott/sessions/stream-limits.ts';
import { createStreamSessions } from '../../shared/ott/sessions/stream-sessions.ts';
import { dynamoDbCatalogue } from '../../shared/ott/store/catalogue.ts';
import { dynamoDbContractApplications } from '../../shared/ott/store/contract-applications.ts';
import { dynamoDbEditCounts } from '../../shared/ott/store/edit-counts.ts';
import { newLife as randomLife } from '../../shared/ott/store/event-items.ts';
import { dynamoDbEvents } from '../../shared/ott/store/events.ts';
import { dynamoDbGrants, dynamoDbTicketGrants } from '../../shared/ott/store/grants.ts';
import { withPartitionHeads } from '../../shared/ott/store/partition-heads.ts';
import { dynamoDbSessions } from '../../shared/ott/store/sessions.ts';
import { dynamoDbVoidChanges, dynamoDbVoidTickets } from '../../shared/ott/store/void-tickets.ts';
import { withLastKnownGood } from '../../shared/ott/streams/last-known-good.ts';
import { createRenewals } from '../../shared/ott/streams/renewal.ts';
import { cachedHoldings } from '../../shared/ott/tickets/check-tickets.ts';
import { ticketTokens } from '../../shared/ott/tickets/reserved-tickets.ts';
import { locateByDistribution, locateByPeer } from '../../shared/ott/viewers/request-location.ts';
import { oidcEnvironment } from '../../shared/platform/auth/access-token.ts';
import { originVerifySchema } from '../../shared/platform/aws/own-secrets.ts';
import { secretReader } from '../../shared/platform/aws/secret-reader.ts';
import { secretsClient } from '../../shared/platform/aws/secrets-client.ts';
import { type Logger, logger } from '../../shared/platform/logger.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import { joiningBatchGets } from '../../shared/platform/store/joined-batch-gets.ts';
import { dynamoDbOutages, outageWatch } from '../../shared/platform/store/outages.ts';
import { hurriedPause, type Pause } from '../../shared/platform/time/backoff.ts';
import { type Clock, systemClock } from '../../shared/platform/time/clock.ts';
import { withDeadline } from '../../shared/platform/time/deadline.ts';
import { patient } from '../../shared/platform/time/patience.ts';
import { dynamoDbUsers } from '../../shared/users/store/users.ts';
import { dynamoDbWallets } from '../../shared/wallets/store/wallets.ts';
import { chainEnvironment, rpcBreakers, rpcEndpoints } from '../chain/dependencies.ts';
import { tokenReadDependencies, tokenReadEnvironment } from '../nft/reading-dependencies.ts';
import { tokenChangeEnvironment } from '../nft/token-dependencies.ts';
import {
  breakerOf,
  callingApplications,
  cursorEnvironment,
  cursorSecretReader,
  type Parsed,
  positiveNumber,
  resourceName,
  wholeNumber,
} from '../platform/dependencies.ts';

const callerEnvironment = {
  ...oidcEnvironment,
  APPLICATIONS_TABLE: resourceName,
  DEFAULT_APPLICATION_ID: resourceName.optional(),
  /** Set only if the API is behind a CloudFront distribution. */
  ORIGIN_VERIFY_SECRET_ARN: resourceName.optional(),
};

/** The timeouts for secrets are short, because a response must be ready within four seconds. */
const clientsOf = () => ({
  client: documentClient(),
  secrets: secretsClient({ connectionTimeoutMilliseconds: 500, requestTimeoutMilliseconds: 1_000 }),
});

type Clients = ReturnType<typeof clientsOf>;

const callersOf = (environment: Parsed<typeof callerEnvironment>, { client, secrets }: Clients) => {
  const { DEFAULT_APPLICATION_ID: defaultApplicationId, ORIGIN_VERIFY_SECRET_ARN: secretId } = environment;
  return {
    verifyAccessToken: environmentsVerifier(environment),
    applications: callingApplications(environment, client),
    defaultApplicationId,
    locate: secretId === undefined ? locateByPeer : locateByOriginSecret(secretId, secrets),
  };
};

const locateByOriginSecret = (secretId: string, client: Clients['secrets']) => {
  const originVerify = secretReader({ client, secretId, schema: originVerifySchema });
  return locateByDistribution({
    read: async () => Object.values(await originVerify.read()),
    refresh: async () => Object.values(await originVerify.refresh()),
  });
};

export const eventEnvironment = {
  ...callerEnvironment,
  EVENTS_TABLE: resourceName,
  GRANTS_TABLE: resourceName,
  ENTITLEMENT_URL: z.url(),
  ENTITLEMENT_SECRET_ARN: resourceName,
  /** Set only if somebody is asked for a country that the distribution does not know. */
  GEOLOCATION_URL: z.url().optional(),
  GEOLOCATION_SECRET_ARN: resourceName.optional(),
  GEOLOCATION_CACHE_SECONDS: wholeNumber.optional(),
};

type EventEnvironment = Parsed<typeof eventEnvironment>;

export const eventDependencies = (
  environment: EventEnvironment,
  { client, secrets }: Clients = clientsOf(),
) => {
  const {
    GEOLOCATION_URL: url,
    GEOLOCATION_SECRET_ARN: secretId,
    GEOLOCATION_CACHE_SECONDS: cacheSeconds,
  } = environment;
  const outages = dynamoDbOutages({ client, tableName: environment.GRANTS_TABLE });
  const guardedCall = (service: string) => ({
    logger,
    breaker: breakerOf(environment, { service }),
    watch: outageWatch(outages, { service, clock: systemClock }),
  });
  const secretOf = <Value>(secretId: string, schema: z.ZodType<Value>) =>
    secretReader({ client: secrets, secretId, schema });
  return {
    callers: callersOf(environment, { client, secrets }),
    events: dynamoDbEvents({ client, tableName: environment.EVENTS_TABLE }),
    clock: systemClock,
    context: {
      entitlement: httpEntitlementService({
        url: environment.ENTITLEMENT_URL,
        secret: secretOf(environment.ENTITLEMENT_SECRET_ARN, entitlementSecretSchema),
        ...guardedCall('entitlement'),
      }),
      geolocation:
        url === undefined || secretId === undefined || cacheSeconds === undefined
          ? noGeolocation
          : maxmindGeolocationService({
              url,
              secret: secretOf(secretId, geolocationSecretSchema),
              cacheSeconds,
              ...guardedCall('geolocation'),
            }),
    },
  };
};

export const eventListEnvironment = { ...eventEnvironment, ...cursorEnvironment };

export const eventListDependencies = (environment: Parsed<typeof eventListEnvironment>) => {
  const clients = clientsOf();
  const dependencies = eventDependencies(environment, clients);
  return {
    ...dependencies,
    events: withPartitionHeads(dependencies.events),
    readCursorSecret: cursorSecretReader(environment, clients.secrets),
  };
};

const sessionEnvironment = { SESSIONS_TABLE: resourceName, SESSION_SECONDS: positiveNumber };

/** What a viewer's sessions depend on. A dependency that is left out is the one that a Lambda function uses. */
interface SessionSurroundings {
  readonly client: DocumentClient;
  readonly clock?: Clock;
  readonly newContinuation?: () => string;
  readonly logger?: Logger;
  readonly within?: typeof withDeadline;
}

export const sessionsOf = (
  environment: Parsed<typeof sessionEnvironment>,
  {
    client,
    clock = systemClock,
    newContinuation = () => randomBytes(12).toString('base64url'),
    logger: told = logger,
    within = withDeadline,
  }: SessionSurroundings,
) =>
  createStreamSessions({
    store: dynamoDbSessions({ client, tableName: environment.SESSIONS_TABLE, within }),
    clock,
    newContinuation,
    logger: told,
    sessionSeconds: environment.SESSION_SECONDS,
  });

export const endStreamEnvironment = { ...callerEnvironment, ...sessionEnvironment };

export const endStreamDependencies = (environment: Parsed<typeof endStreamEnvironment>) => {
  const clients = clientsOf();
  return { callers: callersOf(environment, clients), sessions: sessionsOf(environment, clients) };
};

const commonStreamEnvironment = {
  ...eventEnvironment,
  ...chainEnvironment,
  ...sessionEnvironment,
  /** How many seconds an earlier grant can be used while the entitlement service or the chain is down. 0 if never. */
  LAST_KNOWN_GOOD_SECONDS: z.coerce.number().int().min(0).max(300),
  TICKET_SECONDS: positiveNumber,
  CONTRACTS_TABLE: resourceName,
  NFTS_TABLE: resourceName,
  USERS_TABLE: resourceName,
  WALLETS_TABLE: resourceName,
};

const signedStreamEnvironment = {
  ...commonStreamEnvironment,
  PLAYBACK_SECRET_ARN: resourceName,
  PLAYBACK_SECONDS: positiveNumber,
};

export const streamEnvironment = z.discriminatedUnion('PLAYBACK_SIGNING', [
  z.object({ ...commonStreamEnvironment, PLAYBACK_SIGNING: z.literal('none') }),
  z.object({ ...signedStreamEnvironment, PLAYBACK_SIGNING: z.literal('url') }),
  z.object({
    ...signedStreamEnvironment,
    PLAYBACK_SIGNING: z.literal('cookies'),
    PLAYBACK_COOKIE_DOMAIN: z.string().min(1),
    /** Separated by spaces. */
    PLAYBACK_ORIGINS: z
      .string()
      .transform((text) => text.split(' '))
      .pipe(z.array(z.url()).min(1)),
  }),
]);

type StreamEnvironment = z.output<typeof streamEnvironment>;

/**
 * The time limit for a request to one RPC endpoint, and the time limit for all endpoints together. Both are short,
 * because the viewer also waits for the entitlement service.
 */
const requestTimeoutMilliseconds = patient(1_500);
const questionTimeoutMilliseconds = patient(4_000);

/** Everything outside of the check of tickets. A dependency that is left out is the one that a Lambda function uses. */
interface TicketSurroundings
  extends Pick<Clients, 'client' | 'secrets'>,
    Pick<NonNullable<Parameters<typeof rpcEndpoints>[1]>, 'breakerOf' | 'exchange'> {
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export const ticketsOf = (
  environment: Pick<
    Parsed<typeof commonStreamEnvironment>,
    | 'CHAIN_ID'
    | 'CHAIN_SECRET_ARN'
    | 'EVENTS_TABLE'
    | 'GRANTS_TABLE'
    | 'LAST_KNOWN_GOOD_SECONDS'
    | 'NFTS_TABLE'
    | 'TICKET_SECONDS'
    | 'USERS_TABLE'
    | 'WALLETS_TABLE'
  >,
  { client: unjoined, clock = systemClock, logger: told = logger, ...chain }: TicketSurroundings,
) => {
  const client = joiningBatchGets(unjoined);
  const { GRANTS_TABLE: tableName } = environment;
  const boundMilliseconds = environment.LAST_KNOWN_GOOD_SECONDS * 1_000;
  const endpoints = rpcEndpoints(environment, {
    ...chain,
    clock,
    requestTimeoutMilliseconds,
    questionTimeoutMilliseconds,
  });
  return {
    users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
    wallets: dynamoDbWallets({ client, tableName: environment.WALLETS_TABLE }),
    voidTickets: dynamoDbVoidTickets({ client, tableName: environment.EVENTS_TABLE }),
    ...ticketTokens(dynamoDbHeldTokens({ client, tableName: environment.NFTS_TABLE }), { clock }),
    holdings: cachedHoldings(chainTicketHoldings(endpoints), { clock }),
    memory:
      boundMilliseconds === 0
        ? undefined
        : { grants: dynamoDbTicketGrants({ client, tableName }), boundMilliseconds },
    clock,
    logger: told,
    ticketSeconds: environment.TICKET_SECONDS,
  };
};

const playbackSignerOf = (environment: StreamEnvironment, { secrets: client }: Clients): PlaybackSigner => {
  if (environment.PLAYBACK_SIGNING === 'none') return unsignedPlayback;
  const secret = secretReader({
    client,
    secretId: environment.PLAYBACK_SECRET_ARN,
    schema: playbackSecretSchema,
  });
  const props = { secret, lifetimeSeconds: environment.PLAYBACK_SECONDS, clock: systemClock };
  return environment.PLAYBACK_SIGNING === 'url'
    ? signedUrls(props)
    : signedCookies({ ...props, domain: environment.PLAYBACK_COOKIE_DOMAIN });
};

export const streamDependencies = (environment: StreamEnvironment) => {
  const clients = clientsOf();
  const { context, ...dependencies } = eventDependencies(environment, clients);
  const { GRANTS_TABLE: tableName, LAST_KNOWN_GOOD_SECONDS: boundSeconds } = environment;
  const entitlement =
    boundSeconds === 0
      ? context.entitlement
      : withLastKnownGood({
          entitlement: context.entitlement,
          grants: dynamoDbGrants({ client: clients.client, tableName }),
          boundMilliseconds: boundSeconds * 1_000,
          clock: systemClock,
          logger,
        });
  return {
    ...dependencies,
    context: { ...context, entitlement },
    signer: playbackSignerOf(environment, clients),
    // A lost ticket and an ended session must be able to end a stream that is already playing. That is possible only
    // with signed cookies.
    ...(environment.PLAYBACK_SIGNING === 'cookies' && {
      tickets: ticketsOf(environment, { ...clients, breakerOf: rpcBreakers(environment) }),
      sessions: {
        ...sessionsOf(environment, clients),
        contracts: cachedContractApplications(
          dynamoDbContractApplications({ client: clients.client, tableName: environment.CONTRACTS_TABLE }),
          { clock: systemClock },
        ),
        applications: dependencies.callers.applications,
      },
    }),
    clock: systemClock,
    renewalOf: createRenewals({
      clock: systemClock,
      random: Math.random,
      lifeSeconds: Math.min(environment.SESSION_SECONDS, environment.TICKET_SECONDS),
    }),
    logger,
  };
};

export const applySchedulesEnvironment = { EVENTS_TABLE: resourceName };

/** What changes of the catalogue depend on. A dependency that is left out is the one that a Lambda function uses. */
interface CatalogueSurroundings extends Clients {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly pause?: Pause;
  readonly newLife?: () => string;
}

export const applySchedulesDependencies = (
  { EVENTS_TABLE: tableName }: Parsed<typeof applySchedulesEnvironment>,
  {
    client = documentClient(),
    clock = systemClock,
    logger: told = logger,
  }: Partial<Pick<CatalogueSurroundings, 'client' | 'clock' | 'logger'>> = {},
) => ({
  catalogue: dynamoDbCatalogue({ client, tableName }, { by: 'schedule', clock }),
  clock,
  logger: told,
});

export const voidTokenEnvironment = {
  ...tokenReadEnvironment,
  ...tokenChangeEnvironment,
  EVENTS_TABLE: resourceName,
};

export const voidTokenDependencies = (environment: Parsed<typeof voidTokenEnvironment>) => {
  const client = documentClient();
  return {
    ...tokenReadDependencies(environment, client),
    voidChanges: dynamoDbVoidChanges({
      client,
      tables: { events: environment.EVENTS_TABLE, history: environment.TOKEN_HISTORY_TABLE },
    }),
    clock: systemClock,
  };
};

export const editCatalogueEnvironment = {
  ...cursorEnvironment,
  ...chainEnvironment,
  APPLICATIONS_TABLE: resourceName,
  EVENTS_TABLE: resourceName,
  PLAYBACK_SIGNING: z.enum(['none', 'url', 'cookies']),
  POWERTOOLS_METRICS_NAMESPACE: resourceName,
};

export const editCatalogueDependencies = (
  environment: Parsed<typeof editCatalogueEnvironment>,
  {
    client,
    secrets,
    clock = systemClock,
    pause = hurriedPause,
    newLife = randomLife,
    logger: told = logger,
  }: CatalogueSurroundings = clientsOf(),
) => {
  const store = { client, tableName: environment.EVENTS_TABLE };
  const endpoints = rpcEndpoints(environment, {
    secrets,
    clock,
    requestTimeoutMilliseconds,
    questionTimeoutMilliseconds,
    breakerOf: rpcBreakers(environment),
  });
  return {
    applications: callingApplications(environment, client, clock),
    catalogueOf: (by: string, tell: (change: LoggedChange) => void) =>
      dynamoDbCatalogue(store, { by, clock, tell }),
    editCounts: dynamoDbEditCounts(store),
    logger: told,
    events: dynamoDbEvents(store),
    holdings: chainTicketHoldings(endpoints),
    clock,
    pause,
    newLife,
    signing: environment.PLAYBACK_SIGNING,
    readCursorSecret: cursorSecretReader(environment, secrets),
  };
};
