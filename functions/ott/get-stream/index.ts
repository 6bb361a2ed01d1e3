import * as z from 'zod';
import {
  type PlaybackSecret,
  playbackSecretSchema,
  signedCookies,
  signedUrls,
  unsignedPlayback,
} from '../../../shared/adapters/cloudfront/playback-signer.ts';
import { dynamoDbGrants, dynamoDbTicketMemory } from '../../../shared/adapters/dynamodb/grants.ts';
import { dynamoDbUsers } from '../../../shared/adapters/dynamodb/users.ts';
import { dynamoDbVoidTickets } from '../../../shared/adapters/dynamodb/void-tickets.ts';
import { dynamoDbWallets } from '../../../shared/adapters/dynamodb/wallets.ts';
import { ottDependencies, ottEnvironment } from '../../../shared/adapters/ott-dependencies.ts';
import { createEndpoints } from '../../../shared/adapters/polygon/endpoints.ts';
import { rpcUrlsSchema } from '../../../shared/adapters/polygon/rpc-secret.ts';
import { chainTicketHoldings } from '../../../shared/adapters/polygon/ticket-holdings.ts';
import type { SecretReader } from '../../../shared/adapters/secrets/secret-reader.ts';
import { streamSessions } from '../../../shared/adapters/stream-sessions.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { logger } from '../../../shared/logger.ts';
import { type CheckTicketsDependencies, cachedHoldings } from '../../../shared/ott/check-tickets.ts';
import { getStreamOperation } from '../../../shared/ott/http/operations.ts';
import { withLastKnownGood } from '../../../shared/ott/last-known-good.ts';
import type { EntitlementService } from '../../../shared/ott/ports/entitlement.ts';
import type { PlaybackSigner } from '../../../shared/ott/ports/playback-signer.ts';
import type { StreamSessions } from '../../../shared/ott/stream-sessions.ts';
import { getStreamHandler } from './handler.ts';

const signed = {
  PLAYBACK_SECRET_ARN: z.string().min(1),
  PLAYBACK_SECONDS: z.coerce.number().int().positive(),
};
const common = {
  ...ottEnvironment,
  /** 0 where the stage does not bridge outages of the entitlement service. */
  LAST_KNOWN_GOOD_SECONDS: z.coerce.number().int().min(0).max(300),
  CHAIN_ID: z.coerce.number().int().positive(),
  CHAIN_SECRET_ARN: z.string().min(1),
  TICKET_SECONDS: z.coerce.number().int().positive(),
  SESSIONS_TABLE: z.string().min(1),
  SESSION_SECONDS: z.coerce.number().int().positive(),
  USERS_TABLE: z.string().min(1),
  WALLETS_TABLE: z.string().min(1),
};
const environment = parseEnvironment(
  z.discriminatedUnion('PLAYBACK_SIGNING', [
    z.object({ ...common, PLAYBACK_SIGNING: z.literal('none') }),
    z.object({ ...common, ...signed, PLAYBACK_SIGNING: z.literal('url') }),
    z.object({
      ...common,
      ...signed,
      PLAYBACK_SIGNING: z.literal('cookies'),
      PLAYBACK_COOKIE_DOMAIN: z.string().min(1),
      /** Separated by spaces. */
      PLAYBACK_ORIGINS: z
        .string()
        .transform((text) => text.split(' '))
        .pipe(z.array(z.url()).min(1)),
    }),
  ]),
);
export type Environment = typeof environment;
const { client, secret, breakerOf, callers, audience, events } = ottDependencies(environment);

const entitlement = (): EntitlementService => {
  const { GRANTS_TABLE: tableName, LAST_KNOWN_GOOD_SECONDS: boundSeconds } = environment;
  if (boundSeconds === 0) return audience.entitlement;
  return withLastKnownGood({
    entitlement: audience.entitlement,
    grants: dynamoDbGrants({ client, tableName }),
    boundMilliseconds: boundSeconds * 1_000,
    clock: systemClock,
    logger,
  });
};

/** Of one endpoint, and of all of them: a viewer waits for both the entitlement service and the chain. */
const requestTimeoutMilliseconds = 1_500;
const questionTimeoutMilliseconds = 4_000;

const tickets = (): CheckTicketsDependencies => {
  const store = { client, tableName: environment.GRANTS_TABLE };
  const boundMilliseconds = environment.LAST_KNOWN_GOOD_SECONDS * 1_000;
  const endpoints = createEndpoints({
    chainId: environment.CHAIN_ID,
    urls: secret(environment.CHAIN_SECRET_ARN, rpcUrlsSchema),
    clock: systemClock,
    requestTimeoutMilliseconds,
    questionTimeoutMilliseconds,
    breakerOf: ({ host, isHanging }) => breakerOf('rpc', { fields: { endpoint: host }, isHanging }),
  });
  return {
    users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
    wallets: dynamoDbWallets({ client, tableName: environment.WALLETS_TABLE }),
    voidTickets: dynamoDbVoidTickets({ client, tableName: environment.EVENTS_TABLE }),
    holdings: cachedHoldings(chainTicketHoldings(endpoints), { clock: systemClock }),
    memory: boundMilliseconds === 0 ? undefined : { tickets: dynamoDbTicketMemory(store), boundMilliseconds },
    clock: systemClock,
    logger,
    ticketSeconds: environment.TICKET_SECONDS,
  };
};

const sessions = (): StreamSessions =>
  streamSessions({ ...environment, client, tableName: environment.SESSIONS_TABLE });

const playbackSigner = (): PlaybackSigner => {
  if (environment.PLAYBACK_SIGNING === 'none') return unsignedPlayback;
  const key: SecretReader<PlaybackSecret> = secret(environment.PLAYBACK_SECRET_ARN, playbackSecretSchema);
  const props = { secret: key, lifetimeSeconds: environment.PLAYBACK_SECONDS, clock: systemClock };
  return environment.PLAYBACK_SIGNING === 'url'
    ? signedUrls(props)
    : signedCookies({ ...props, domain: environment.PLAYBACK_COOKIE_DOMAIN });
};

export const handler = operationFunction(
  getStreamOperation,
  getStreamHandler({
    callers,
    audience: { ...audience, entitlement: entitlement() },
    events,
    signer: playbackSigner(),
    // Only cookies end what a player goes on to fetch.
    ...(environment.PLAYBACK_SIGNING === 'cookies' && { tickets: tickets(), sessions: sessions() }),
    clock: systemClock,
    logger,
  }),
  environment.PLAYBACK_SIGNING === 'cookies'
    ? { cors: { withCredentials: environment.PLAYBACK_ORIGINS } }
    : {},
);
