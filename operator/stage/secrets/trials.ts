import { createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type PlaybackSecret, signedUrls } from '../../../shared/ott/aws/playback-signer.ts';
import {
  type EntitlementSecret,
  httpEntitlementService,
} from '../../../shared/ott/outside/http-entitlement-service.ts';
import {
  type GeolocationSecret,
  maxmindGeolocationService,
} from '../../../shared/ott/outside/maxmind-geolocation-service.ts';
import { isTimeout } from '../../../shared/platform/outside/circuit-breaker.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { type TriedChain, unreachable } from './try-endpoints.ts';

/** The settings of a stage that its secrets must fit. */
export interface TriedStage extends TriedChain {
  readonly entitlementUrl: string;
  readonly geolocationUrl: string;
}

/** Uses a secret's value as the functions do. Returns what is wrong, one sentence each, or none. */
export type Trial<Value> = (value: Value, stage: TriedStage) => Promise<readonly string[]>;

const fixed = <Value>(value: Value) => ({ read: async () => value, refresh: async () => value });

/** For a person at a terminal: longer than functions wait, so that a slow network does not fail a good value. */
const patientMilliseconds = 10_000;

/** Keeps the error that an adapter logs instead of throwing it. */
const capturing = () => {
  let error: unknown;
  return {
    logger: {
      info: () => {},
      warn: () => {},
      error: (_: string, fields: Readonly<Record<string, unknown>> = {}) => {
        error = fields.error;
      },
    },
    errorOf: () => error,
  };
};

const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return reasonOf(error.errors.at(-1));
  if (isTimeout(error)) return 'does not answer in time';
  if (!(error instanceof Error)) return 'gives no usable answer';
  const away = unreachable(error.cause);
  if (away !== undefined) return away;
  if (/^answered (401|403)$/.test(error.message)) return `refuses the credentials: it ${error.message}`;
  return error.message.startsWith('answered ') ? error.message : 'gives no usable answer';
};

/** A user, and a client, of which the entitlement service knows nothing. Any valid answer proves that the key works. */
const nobody = 'marquee-secrets-check';

export const tryEntitlement: Trial<EntitlementSecret> = async (secret, { entitlementUrl: url }) => {
  const { logger, errorOf } = capturing();
  const service = httpEntitlementService({
    url,
    secret: fixed(secret),
    logger,
    timeoutMilliseconds: patientMilliseconds,
  });
  const { outcome } = await service.check({ userSub: nobody, clientId: nobody, eventId: undefined });
  return outcome === 'unavailable' ? [`The entitlement service at ${url} ${reasonOf(errorOf())}.`] : [];
};

export const tryGeolocation: Trial<GeolocationSecret> = async (secret, { geolocationUrl: url }) => {
  const { logger, errorOf } = capturing();
  const service = maxmindGeolocationService({
    url,
    secret: fixed(secret),
    logger,
    cacheSeconds: 0,
    timeoutMilliseconds: patientMilliseconds,
  });
  await service.countryOf('8.8.8.8');
  return errorOf() === undefined ? [] : [`The geolocation service at ${url} ${reasonOf(errorOf())}.`];
};

const privateKeyOf = (pem: string): KeyObject | undefined => {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
};

/** The signature in a query of CloudFront, which replaces three characters of base64. */
const signatureIn = (url: string): Buffer => {
  const written = new URL(url).searchParams.get('Signature') ?? '';
  const base64 = { '-': '+', _: '=', '~': '/' } as const;
  return Buffer.from(
    written.replaceAll(/[-_~]/g, (each) => base64[each as keyof typeof base64]),
    'base64',
  );
};

export const tryPlaybackKey: Trial<PlaybackSecret> = async (secret) => {
  const key = privateKeyOf(secret.private_key);
  if (key === undefined) {
    return ['private_key is not the PEM of a private key without a passphrase.'];
  }
  // CloudFront's Developer Guide, "Specify signers that can create signed URLs and signed cookies".
  if (key.asymmetricKeyType !== 'rsa' || key.asymmetricKeyDetails?.modulusLength !== 2048) {
    return ['private_key is not an RSA key of 2,048 bits.'];
  }
  const signer = signedUrls({ secret: fixed(secret), lifetimeSeconds: 60, clock: systemClock });
  const resource = 'https://example.com/file';
  const { url, expiresAt } = await signer.sign({
    stream: { type: 'file', url: resource },
    endsAt: undefined,
  });
  const seconds = Date.parse(expiresAt ?? '') / 1_000;
  const policy = `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${seconds}}}}]}`;
  const isVerified = verify('RSA-SHA1', Buffer.from(policy), createPublicKey(key), signatureIn(url));
  return isVerified ? [] : ['A signature by private_key cannot be verified with its public key.'];
};
