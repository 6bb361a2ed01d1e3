import { decodeJwt, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import type * as z from 'zod';
import type {
  AccessToken,
  JudgedToken,
  oidcEnvironment,
  TokenAudience,
  VerifyAccessToken,
} from '../auth/access-token.ts';
import { InvalidTokenError } from '../auth/errors.ts';
import { circuitGauge } from '../aws/circuit-gauge.ts';
import { loginTally } from '../aws/login-tally.ts';
import { logger } from '../logger.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts';
import { IssuerKeys } from './issuer-keys.ts';

export interface AccessTokenVerifierOptions {
  /** The issuer exactly as in the claim `iss`, with a trailing slash if the claim has one. */
  readonly issuer: string;
  readonly audience: TokenAudience;
  /** @default ['RS256', 'ES256'] */
  readonly algorithms?: readonly string[];
  /**
   * Whether an access token with a `nonce` is accepted. Keycloak's access tokens have one before version 25.
   * @default 'refused'
   */
  readonly nonce?: 'refused' | 'allowed';
  /** `at+jwt` accepts only tokens with that type in their header (RFC 9068, 2.1). @default 'any' */
  readonly tokenType?: 'any' | 'at+jwt';
  /**
   * The claims that name the client. A token that has several of them is refused if they differ.
   * @default ['azp', 'client_id']
   */
  readonly clientClaims?: readonly string[];
  readonly clock?: Clock;
  /** Skips calls to an issuer that hangs. @default a new one */
  readonly breaker?: CircuitBreaker;
  /** Is told of each token that was judged. @default nobody is told */
  readonly onJudged?: (judged: JudgedToken) => void;
}

/**
 * The maximum length of the `Authorization` header. Real tokens are one to two kilobytes long. API Gateway accepts
 * 10,240 bytes of headers in total.
 */
const maximumLength = 8_192;

/**
 * How far the issuer's clock may be ahead. Otherwise a token whose `nbf` is the time of its issue would fail at first.
 */
const aheadSeconds = 5;

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * The header types of an access token (RFC 8725, 3.11). The check is needed because an issuer signs logout tokens,
 * events and proofs with the same keys. Many issuers send no type, or `JWT`: `any` accepts both.
 */
const accessTokenTypes = {
  any: /^(application\/)?(at\+)?jwt$/i,
  'at+jwt': /^(application\/)?at\+jwt$/i,
};

const bearerToken = (authorizationHeader: string | undefined): string => {
  if (authorizationHeader === undefined) throw new InvalidTokenError({ reason: 'no Authorization header' });
  if (authorizationHeader.length > maximumLength)
    throw new InvalidTokenError({ reason: 'the Authorization header is too long' });
  const token = bearer.exec(authorizationHeader.trim())?.[1];
  if (token === undefined) throw new InvalidTokenError({ reason: 'not a signed bearer token' });
  return token;
};

/** Some issuers write `null` for a claim that a token does not have. */
const isPresent = (claims: JWTPayload, name: string): boolean =>
  Object.hasOwn(claims, name) && claims[name] !== null;

/**
 * Recognizes tokens that are not access tokens, but are signed with the same keys:
 * - An ID token says who logged in, but does not authorize API calls. Cognito marks an ID token by `token_use`. Other
 *   issuers put a nonce or a hash into it, which binds it to a login, a code or an access token.
 * - Logout tokens and security events have a claim `events`.
 * - Keycloak puts a claim `typ` into all of its tokens. In access tokens it is `Bearer`.
 */
const isOtherToken = (claims: JWTPayload, nonce: 'refused' | 'allowed'): boolean =>
  claims.token_use === 'id' ||
  (isPresent(claims, 'typ') && claims.typ !== 'Bearer') ||
  ['at_hash', 'c_hash', 'events', ...(nonce === 'refused' ? ['nonce'] : [])].some((claim) =>
    isPresent(claims, claim),
  );

const checkClient = (claims: JWTPayload, values: 'any' | readonly string[]): void => {
  if (claims.token_use !== 'access') throw new InvalidTokenError({ reason: 'token_use is not access' });
  if (typeof claims.client_id !== 'string') throw new InvalidTokenError({ reason: 'no client_id' });
  if (values !== 'any' && !values.includes(claims.client_id)) {
    throw new InvalidTokenError({ reason: 'client_id is not accepted' });
  }
};

/** The client that the claims name. They are several if an issuer, or two of them, write it in different claims. */
const clientOf = (claims: JWTPayload, names: readonly string[]): string | undefined => {
  const values = names.filter((name) => isPresent(claims, name)).map((name) => claims[name]);
  if (values.some((value) => typeof value !== 'string')) {
    throw new InvalidTokenError({ reason: `${names.join(' or ')} is not a string` });
  }
  const [client, ...others] = new Set(values);
  if (others.length > 0) {
    throw new InvalidTokenError({ reason: `${names.join(' and ')} name different clients` });
  }
  return typeof client === 'string' && client !== '' ? client : undefined;
};

/** OpenID Connect Core 1.0, 2. Some issuers put the claim only into ID tokens. */
const authTimeOf = (claims: JWTPayload): number | undefined => {
  if (!isPresent(claims, 'auth_time')) return undefined;
  return typeof claims.auth_time === 'number' ? claims.auth_time : Number.NaN;
};

const bearerOf = (
  claims: JWTPayload,
  { audience, clientClaims }: { readonly audience: TokenAudience; readonly clientClaims: readonly string[] },
): AccessToken => {
  if (audience.claim === 'client_id') checkClient(claims, audience.values);
  // OpenID Connect Core 1.0, 2: a subject has at most 255 characters.
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > 255 || !sub.isWellFormed()) {
    throw new InvalidTokenError({ reason: 'sub is not well-formed text of 1 to 255 characters' });
  }
  return { sub, clientId: clientOf(claims, clientClaims), authTime: authTimeOf(claims) };
};

/**
 * What a refusal says about the stage: `undefined` for text that is no token. A client that asks again and again with an
 * expired token says nothing about the issuer, also if the issuer has changed its key since. So the token's own `exp`
 * counts, although its signature may be false.
 */
const judgedOf = (token: string, now: number): JudgedToken | undefined => {
  try {
    const { exp } = decodeJwt(token);
    return exp !== undefined && exp <= now / 1_000 ? 'outdated' : 'refused';
  } catch {
    return undefined;
  }
};

/**
 * Verifies access tokens with one issuer's published keys. Create only one verifier in a process, because it caches the
 * keys.
 */
export const accessTokenVerifier = (options: AccessTokenVerifierOptions): VerifyAccessToken => {
  const { issuer, audience, algorithms = ['RS256', 'ES256'], clock = systemClock } = options;
  const { nonce = 'refused', tokenType = 'any', clientClaims = ['azp', 'client_id'] } = options;
  const { breaker = circuitBreaker({ service: 'issuer', logger, clock }), onJudged } = options;
  const keys = new IssuerKeys({ issuer, clock, breaker });
  return async (authorizationHeader) => {
    const token = bearerToken(authorizationHeader);
    const now = clock();
    try {
      const verifying: JWTVerifyOptions = {
        issuer,
        algorithms: [...algorithms],
        currentDate: new Date(now),
        clockTolerance: aheadSeconds,
        requiredClaims: ['exp', 'sub'],
        ...(audience.claim === 'aud' ? { audience: audience.values } : {}),
      };
      const { payload, protectedHeader } = await keys.verify(token, (key) =>
        jwtVerify(token, key, verifying),
      );
      // jose's tolerance also extends `exp`, but an expired token must not be accepted.
      if (Math.floor(now / 1_000) >= (payload.exp ?? 0)) {
        throw new InvalidTokenError({ reason: 'it is expired' });
      }
      if (!accessTokenTypes[tokenType].test(protectedHeader.typ ?? 'JWT')) {
        throw new InvalidTokenError({ reason: 'the header typ is not an access token’s' });
      }
      if (isOtherToken(payload, nonce)) {
        throw new InvalidTokenError({ reason: 'its claims are those of another kind of token' });
      }
      const bearer = bearerOf(payload, { audience, clientClaims });
      onJudged?.('accepted');
      return bearer;
    } catch (error) {
      // The cause is left out: jose's errors contain the token's claims, and this error is logged.
      const refusal =
        error instanceof errors.JOSEError || error instanceof TypeError
          ? new InvalidTokenError({ reason: error.message })
          : error;
      const judged = refusal instanceof InvalidTokenError ? judgedOf(token, now) : undefined;
      if (judged !== undefined) onJudged?.(judged);
      throw refusal;
    }
  };
};

export const environmentsVerifier = (
  environment: z.output<z.ZodObject<typeof oidcEnvironment>>,
): VerifyAccessToken =>
  accessTokenVerifier({
    issuer: environment.OIDC_ISSUER,
    audience: environment.OIDC_AUDIENCE,
    algorithms: environment.OIDC_ALGORITHMS,
    nonce: environment.OIDC_NONCE,
    tokenType: environment.OIDC_TOKEN_TYPE,
    clientClaims: environment.OIDC_CLIENT_CLAIMS,
    onJudged: loginTally({ namespace: environment.POWERTOOLS_METRICS_NAMESPACE }),
    breaker: circuitBreaker({
      service: 'issuer',
      logger,
      gauge: circuitGauge({ service: 'issuer', namespace: environment.POWERTOOLS_METRICS_NAMESPACE }),
    }),
  });
