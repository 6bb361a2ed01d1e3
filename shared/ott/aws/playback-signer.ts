import { getSignedCookies, getSignedUrl } from '@aws-sdk/cloudfront-signer';
import * as z from 'zod';
import type { SecretReader } from '../../platform/aws/secret-reader.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { PlaybackSigner } from '../ports/playback-signer.ts';
import { signedPathOf } from '../streams/signed-path.ts';
import { folderOf, requestedUrl } from '../streams/stream-address.ts';

export const playbackSecretSchema = z.object({
  key_pair_id: z.string().min(1),
  /** PEM of the private key. Its public key must be in the distribution's trusted key group. */
  private_key: z.string().includes('PRIVATE KEY'),
});
export type PlaybackSecret = z.infer<typeof playbackSecretSchema>;

interface SignerProps {
  readonly secret: Pick<SecretReader<PlaybackSecret>, 'read'>;
  readonly lifetimeSeconds: number;
  readonly clock: Clock;
}

export const unsignedPlayback: PlaybackSigner = {
  signing: 'none',
  sign: async ({ stream: { url } }) => ({ url, expiresAt: null, cookies: [] }),
};

/** A CloudFront signed URL gives access only to the one file that it names. */
export const signedUrls = ({ secret, lifetimeSeconds, clock }: SignerProps): PlaybackSigner => ({
  signing: 'url',
  sign: async ({ stream: { url }, endsAt }) => {
    const { key_pair_id: keyPairId, private_key: privateKey } = await secret.read();
    const expiresAt = expiry({ clock, lifetimeSeconds, endsAt });
    return {
      // The fragment is not part of what is signed.
      url: `${getSignedUrl({ url: requestedUrl(url), keyPairId, privateKey, dateLessThan: expiresAt })}${new URL(url).hash}`,
      expiresAt: expiresAt.toISOString(),
      cookies: [],
    };
  },
});

/**
 * CloudFront signed cookies, which a player sends with the playlist and every segment. The cookies' domain is shared by
 * the API and the distribution. The cookies' path is what they give access to, so that cookies of several streams do not
 * replace each other. {@link cookiePathMistakes} are paths of which that is not true.
 */
export const signedCookies = ({
  secret,
  lifetimeSeconds,
  clock,
  domain,
}: SignerProps & {
  readonly domain: string;
}): PlaybackSigner => ({
  signing: 'cookies',
  sign: async ({ stream, endsAt }) => {
    const { key_pair_id: keyPairId, private_key: privateKey } = await secret.read();
    const expiresAt = expiry({ clock, lifetimeSeconds, endsAt });
    const { resource, writtenPath, isPrefix } = signedPathOf(stream, { signing: 'cookies' });
    const cookies = getSignedCookies({
      keyPairId,
      privateKey,
      policy: policyFor(resource, expiresAt),
    });
    const attributes = [
      `Domain=${domain}`,
      `Path=${isPrefix ? folderOf(writtenPath) : writtenPath}`,
      `Max-Age=${Math.max(0, Math.ceil((expiresAt.getTime() - clock()) / 1_000))}`,
      'Secure',
      'HttpOnly',
      'SameSite=None',
    ].join('; ');
    return {
      url: stream.url,
      expiresAt: expiresAt.toISOString(),
      cookies: Object.entries(cookies).map(([name, value]) => `${name}=${value}; ${attributes}`),
    };
  },
});

/**
 * CloudFront counts in seconds. The time is rounded down, so that the response does not promise more time than
 * CloudFront allows.
 */
const expiry = ({
  clock,
  lifetimeSeconds,
  endsAt = Number.POSITIVE_INFINITY,
}: Pick<SignerProps, 'clock' | 'lifetimeSeconds'> & { readonly endsAt: number | undefined }): Date =>
  new Date(Math.floor(Math.min(clock() / 1_000 + lifetimeSeconds, endsAt / 1_000)) * 1_000);

const policyFor = (resource: string, expiresAt: Date): string =>
  JSON.stringify({
    Statement: [
      {
        Resource: resource,
        Condition: { DateLessThan: { 'AWS:EpochTime': Math.floor(expiresAt.getTime() / 1_000) } },
      },
    ],
  });
