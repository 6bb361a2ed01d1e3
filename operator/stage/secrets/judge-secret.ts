import type * as z from 'zod';
import { rpcUrlsSchema } from '../../../shared/chain/rpc/rpc-secret.ts';
import { playbackSecretSchema } from '../../../shared/ott/aws/playback-signer.ts';
import { entitlementSecretSchema } from '../../../shared/ott/outside/http-entitlement-service.ts';
import { geolocationSecretSchema } from '../../../shared/ott/outside/maxmind-geolocation-service.ts';
import {
  canarySecretSchema,
  cursorSecretSchema,
  originVerifySchema,
} from '../../../shared/platform/aws/own-secrets.ts';
import { parseSecret } from '../../../shared/platform/aws/secret-reader.ts';
import { shortestOriginValue } from '../../../shared/platform/origin-verify.ts';
import type { SecretName } from '../../../shared/platform/stage-secrets.ts';
import { type Trial, type TriedStage, tryEntitlement, tryGeolocation, tryPlaybackKey } from './trials.ts';
import { tryEndpoints } from './try-endpoints.ts';

interface Judging {
  readonly stage: TriedStage;
  /** `false` judges only the shape. */
  readonly isTried: boolean;
}

type Judge = (text: string, judging: Judging) => Promise<readonly string[]>;

/** The largest value that Secrets Manager stores (API Reference, *PutSecretValue*). */
const maximumBytes = 65_536;

const judging =
  <Value>(schema: z.ZodType<Value>, expected: string, attempt: Trial<Value> = async () => []): Judge =>
  async (text, { stage, isTried }) => {
    if (Buffer.byteLength(text) > maximumBytes) return [`The value is longer than ${maximumBytes} bytes.`];
    const parsed = parseSecret(text, schema);
    if ('wrong' in parsed) {
      return [`The value does not have the right shape (${parsed.wrong.join(', ')}). Expected: ${expected}`];
    }
    if (!isTried) return [];
    const { value } = parsed;
    return (await attempt(value, stage)).map((fault) => withoutValues(fault, value));
  };

const rpcUrls = '{"urls":["https://…","https://…"]}';
const judges: Readonly<Record<SecretName, Judge>> = {
  chain: judging(rpcUrlsSchema, rpcUrls, tryEndpoints(true)),
  'ticket-chain': judging(rpcUrlsSchema, rpcUrls, tryEndpoints(false)),
  entitlement: judging(entitlementSecretSchema, '{"api_key":"…"}', tryEntitlement),
  geolocation: judging(geolocationSecretSchema, '{"account_id":"…","license_key":"…"}', tryGeolocation),
  'signing-key': judging(
    playbackSecretSchema,
    '{"key_pair_id":"…","private_key":"-----BEGIN PRIVATE KEY-----\\n…"}',
    tryPlaybackKey,
  ),
  'origin-verify': judging(
    originVerifySchema,
    `{"current":"…","next":"…"}, two texts of at least ${shortestOriginValue} characters, equal except during a rotation`,
  ),
  cursor: judging(cursorSecretSchema, 'a text of at least 32 characters'),
  canary: judging(canarySecretSchema, '{"api_key":"…"}, which applications watch-keys stores'),
};

/**
 * What is wrong with a secret's value, one sentence each; none if it is good. The value is judged by the schema of the
 * functions that read it, and then used as they use it. No sentence contains a part of the value, except host names.
 */
export const judgeSecret = (name: SecretName, text: string, judging: Judging): Promise<readonly string[]> =>
  judges[name](text, judging);

/** Shorter pieces are not replaced: they would also replace parts of ordinary words. */
const shortestSecret = 4;

/** All texts in a value, and the parts of URLs that can contain a key: user, password, path and query. */
const piecesOf = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(piecesOf);
  if (typeof value !== 'string') return [];
  const url = URL.parse(value);
  if (url === null) return [value];
  const parts = [url.username, url.password, ...url.pathname.split('/'), ...url.searchParams.values()];
  return [value, url.search, ...parts, ...parts.map((part) => decodeURIComponent(part))];
};

/** A text in which each piece of a secret's value is replaced, because other services may quote what they received. */
export const withoutValues = (text: string, value: unknown): string =>
  piecesOf(value)
    .filter((piece) => piece.length >= shortestSecret)
    .sort((one, other) => other.length - one.length)
    .reduce((kept, piece) => kept.replaceAll(piece, '…'), text);
