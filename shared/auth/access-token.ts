import * as z from 'zod';

/** What a valid access token says about its bearer. */
export interface AccessToken {
  /** The user, by the issuer's name for it. */
  readonly sub: string;
  /** The OAuth client that the token was issued to (`azp` or `client_id`), when the token names one. */
  readonly clientId: string | undefined;
}

/**
 * Judges the value of an `Authorization` header.
 *
 * @throws InvalidTokenError when it holds no valid bearer token, and
 * @throws IssuerUnavailableError when that cannot be determined.
 */
export type VerifyAccessToken = (authorizationHeader: string | undefined) => Promise<AccessToken>;

/**
 * How a token names this service: by `aud` or, as Amazon Cognito's access tokens do, by `client_id` together with
 * `token_use: access`. With `client_id`, `any` admits every client of the issuer, which is right where the user pool
 * serves nothing else.
 */
const audienceSchema = z.discriminatedUnion('claim', [
  z.strictObject({ claim: z.literal('aud'), values: z.array(z.string().min(1)).min(1) }),
  z.strictObject({
    claim: z.literal('client_id'),
    values: z.union([z.literal('any'), z.array(z.string().min(1)).min(1)]),
  }),
]);

export type Audience = z.infer<typeof audienceSchema>;

/** Asymmetric only: a key of the JWKS is public, so an HMAC made with it proves nothing. */
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

/** The environment of a function that judges access tokens; spread it into the function's own schema. */
export const oidcEnvironment = {
  OIDC_ISSUER: z.url(),
  OIDC_AUDIENCE: json.pipe(audienceSchema),
  OIDC_ALGORITHMS: json.pipe(algorithmsSchema),
  OIDC_NONCE: z.enum(['refused', 'allowed']),
  OIDC_TOKEN_TYPE: z.enum(['any', 'at+jwt']),
  /** Called when the issuer hangs. */
  POWERTOOLS_METRICS_NAMESPACE: z.string().min(1),
};
