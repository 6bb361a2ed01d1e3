import * as z from 'zod';
import {
  type PlaybackSecret,
  playbackSecretSchema,
  signedCookies,
  signedUrls,
  unsignedPlayback,
} from '../../../shared/adapters/cloudfront/playback-signer.ts';
import { dynamoDbGrants } from '../../../shared/adapters/dynamodb/grants.ts';
import { ottDependencies, ottEnvironment } from '../../../shared/adapters/ott-dependencies.ts';
import type { SecretReader } from '../../../shared/adapters/secrets/secret-reader.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { logger } from '../../../shared/logger.ts';
import { getStreamOperation } from '../../../shared/ott/http/operations.ts';
import { withLastKnownGood } from '../../../shared/ott/last-known-good.ts';
import type { EntitlementService } from '../../../shared/ott/ports/entitlement.ts';
import type { PlaybackSigner } from '../../../shared/ott/ports/playback-signer.ts';
import { getStreamHandler } from './handler.ts';

const signed = {
  PLAYBACK_SECRET_ARN: z.string().min(1),
  PLAYBACK_SECONDS: z.coerce.number().int().positive(),
};
const common = {
  ...ottEnvironment,
  GRANTS_TABLE: z.string().min(1),
  /** 0 where the stage does not bridge outages of the entitlement service. */
  LAST_KNOWN_GOOD_SECONDS: z.coerce.number().int().min(0).max(300),
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
const { client, secret, callers, audience, events } = ottDependencies(environment);

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
    clock: systemClock,
    logger,
  }),
  environment.PLAYBACK_SIGNING === 'cookies'
    ? { cors: { withCredentials: environment.PLAYBACK_ORIGINS } }
    : {},
);
