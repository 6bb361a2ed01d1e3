import { createVerify } from 'node:crypto';
import * as z from 'zod';

export interface Credentials {
  /** The requested URL, without its signature parameters. */
  readonly url: string;
  readonly value: (name: string) => string | undefined;
}

export type Judgement = { readonly admitted: true } | { readonly admitted: false; readonly code: string };

const refused = (code: string): Judgement => ({ admitted: false, code });

const seconds = z.object({ 'AWS:EpochTime': z.int() });
const policySchema = z.object({
  Statement: z
    .array(
      z.object({
        Resource: z.string(),
        Condition: z.object({ DateLessThan: seconds, DateGreaterThan: seconds.optional() }),
      }),
    )
    .length(1),
});

/** Decodes Base64 in CloudFront's alphabet for URLs and cookies. */
const decode = (text: string): Buffer =>
  Buffer.from(text.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'), 'base64');

/**
 * Whether a URL matches a policy's resource. `*` matches any text, including slashes, and `?` matches any one character
 * (CloudFront, "Values that you specify in the policy statement").
 */
const matches = (pattern: string, url: string): boolean =>
  new RegExp(
    `^${[...pattern]
      .map((letter) =>
        letter === '*' ? '.*' : letter === '?' ? '.' : letter.replace(/[\\^$.|+()[\]{}]/, '\\$&'),
      )
      .join('')}$`,
  ).test(url);

const parsePolicy = (text: string) => {
  try {
    return policySchema.parse(JSON.parse(text)).Statement[0];
  } catch {
    return undefined;
  }
};

/**
 * Decides whether to serve a request, as CloudFront does. The key must be known, the signature must match the policy,
 * and the policy must cover this address and time. If the request has no custom policy, the canned policy is rebuilt
 * from the address and `Expires`.
 */
export const judge = (
  { url, value }: Credentials,
  {
    keyPairId,
    publicKey,
    now,
  }: {
    readonly keyPairId: string;
    readonly publicKey: string;
    /** Milliseconds since the Unix epoch. */
    readonly now: number;
  },
): Judgement => {
  const [key, signature, expires, custom] = ['Key-Pair-Id', 'Signature', 'Expires', 'Policy'].map(value);
  if (key === undefined) return refused('MissingKey');
  if (key !== keyPairId) return refused('InvalidKey');
  const policy =
    custom === undefined
      ? `{"Statement":[{"Resource":"${url}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`
      : decode(custom).toString('utf8');
  const verifier = createVerify('RSA-SHA1').update(policy);
  if (signature === undefined || !verifier.verify(publicKey, decode(signature)))
    return refused('AccessDenied');
  const statement = parsePolicy(policy);
  if (statement === undefined) return refused('MalformedPolicy');
  const { DateLessThan: until, DateGreaterThan: from } = statement.Condition;
  const isTimely =
    now < until['AWS:EpochTime'] * 1_000 && (from === undefined || now > from['AWS:EpochTime'] * 1_000);
  return isTimely && matches(statement.Resource, url) ? { admitted: true } : refused('AccessDenied');
};
