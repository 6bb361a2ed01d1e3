import * as z from 'zod';

export interface AccessToken {
  /** The issuer's identifier of the user. */
  readonly sub: string;
  /** The OAuth client that the token was issued to, if the token names one. The stage says which claims name it. */
  readonly clientId: string | undefined;
  /**
   * When the user last proved to be the user, as the issuer says, in seconds since the epoch. `NaN` if the claim is no
   * number. Absent if the token does not say it.
   */
  readonly authTime?: number | undefined;
}

/**
 * Verifies the value of an `Authorization` header.
 * @throws InvalidTokenError if it is not a valid bearer token.
 * @throws IssuerUnavailableError if the issuer's keys cannot be read.
 */
export type VerifyAccessToken = (authorizationHeader: string | undefined) => Promise<AccessToken>;

/**
 * What became of a token. `refused`: for its issuer, audience, signature, algorithm or kind, so that a new token of the
 * same client would be refused, too. `outdated`: it is expired, and a new token may be accepted.
 */
export type JudgedToken = 'accepted' | 'refused' | 'outdated';

/**
 * How a token names this service: by `aud` or, as in Amazon Cognito's access tokens, by `client_id` together with
 * `token_use: access`. The value `any` accepts every client of the issuer. Use `any` only for a user pool that serves
 * no other service.
 */
const audienceSchema = z.discriminatedUnion('claim', [
  z.strictObject({ claim: z.literal('aud'), values: z.array(z.string().min(1)).min(1) }),
  z.strictObject({
    claim: z.literal('client_id'),
    values: z.union([z.literal('any'), z.array(z.string().min(1)).min(1)]),
  }),
]);

export type TokenAudience = z.infer<typeof audienceSchema>;

/** Only asymmetric algorithms. The keys of a JWKS are public, so an HMAC with such a key would prove nothing. */
const signatureAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const;

const algorithmsSchema = z.array(z.enum(signatureAlgorithms)).min(1);

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'is not JSON', input: text });
    return z.NEVER;
  }
});

export const oidcEnvironment = {
  OIDC_ISSUER: z.url(),
  OIDC_AUDIENCE: json.pipe(audienceSchema),
  OIDC_ALGORITHMS: json.pipe(algorithmsSchema),
  OIDC_NONCE: z.enum(['refused', 'allowed']),
  OIDC_TOKEN_TYPE: z.enum(['any', 'at+jwt']),
  OIDC_CLIENT_CLAIMS: json.pipe(z.array(z.string().min(1)).min(1)),
  /** The namespace of the metric `CircuitOpen`. The metric is 1 while calls to an unresponsive issuer are skipped. */
  POWERTOOLS_METRICS_NAMESPACE: z.string().min(1),
};
