import { createLocalJWKSet, decodeProtectedHeader, errors, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { IssuerUnavailableError } from '../auth/errors.ts';
import type { Clock } from '../time/clock.ts';
import { callSignal } from '../time/deadline.ts';
import { patient } from '../time/patience.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() });
const jwksSchema = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

const timeoutMilliseconds = patient(1_500);

/** Keys are read again after this long, so that withdrawn keys are no longer accepted. */
const freshMilliseconds = 10 * 60_000;

/** How long keys stay valid while they cannot be read again because the issuer is down. */
const staleMilliseconds = 60 * 60_000;

/** The shortest time between two reads of the keys. Otherwise anyone could flood the issuer by sending tokens. */
const betweenReadingsMilliseconds = 2_000;

/**
 * For this long after a failed read, the cached keys are used without another read: otherwise every token would wait
 * for an issuer that hangs.
 */
const pauseMilliseconds = 5_000;

const fetchJson = async <T>(url: string, schema: z.ZodType<T>): Promise<T> => {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: callSignal(timeoutMilliseconds),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  return schema.parse(await response.json());
};

/** A `kid` that is null counts as absent. jose looks for a key that has it. */
const withoutNullKid = <Header extends { readonly kid?: string }>(header: Header): Header => {
  const { kid, ...others } = header;
  return kid === null ? (others as Header) : header;
};

/**
 * Whether another key of the issuer may have signed the token. If the token has a `kid`, the issuer has named the key,
 * and a signature of another key is forged.
 */
const isKeyMissing = (error: unknown, token: string): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  (error instanceof errors.JWSSignatureVerificationFailed &&
    withoutNullKid(decodeProtectedHeader(token)).kid === undefined);

export class IssuerKeys {
  readonly #issuer: string;
  readonly #clock: Clock;
  readonly #breaker: CircuitBreaker;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #unreachableSince = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #readingStartedAt = Number.NEGATIVE_INFINITY;
  /**
   * The reads of the keys are numbered from 1. `#readings` is the number of the newest read. `#keysAreFrom` is the
   * number of the read that returned the keys in use.
   */
  #readings = 0;
  #keysAreFrom = 0;

  constructor({
    issuer,
    clock,
    breaker,
  }: { readonly issuer: string; readonly clock: Clock; readonly breaker: CircuitBreaker }) {
    this.#issuer = issuer;
    this.#clock = clock;
    this.#breaker = breaker;
  }

  /**
   * Calls `verifyBy`, which verifies a token with `jwtVerify`, with each key that may have signed the token. The
   * token's key may be newer than the cached keys. So a token is refused for a missing key only if the keys were read
   * after the token arrived.
   */
  async verify<Verified>(
    token: string,
    verifyBy: (key: JWTVerifyGetKey) => Promise<Verified>,
  ): Promise<Verified> {
    const readingsBefore = this.#readings;
    try {
      return await this.#verifyByAny(verifyBy);
    } catch (error) {
      if (!isKeyMissing(error, token) || this.#keysAreFrom > readingsBefore) throw error;
    }
    if (this.#isPausing()) throw this.#unavailable();
    await this.#read();
    try {
      return await this.#verifyByAny(verifyBy);
    } catch (error) {
      const isJudged = this.#keysAreFrom > readingsBefore || !isKeyMissing(error, token);
      throw isJudged ? error : this.#unavailable();
    }
  }

  async #verifyByAny<Verified>(verifyBy: (key: JWTVerifyGetKey) => Promise<Verified>): Promise<Verified> {
    try {
      return await verifyBy((header, token) => this.#keyOf(header, token));
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      for await (const key of error) {
        try {
          return await verifyBy(async () => key);
        } catch (failure) {
          // jose throws a TypeError for a key that is unfit, for example too short.
          const isOtherKey =
            failure instanceof errors.JWSSignatureVerificationFailed || failure instanceof TypeError;
          if (!isOtherKey) throw failure;
        }
      }
      throw new errors.JWSSignatureVerificationFailed();
    }
  }

  readonly #keyOf: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.#current();
    try {
      return await keys(withoutNullKid(header), token);
    } catch (error) {
      // Any other error is about the issuer's key, which is malformed, and not about the token.
      throw error instanceof errors.JOSEError ? error : this.#unavailable(error);
    }
  };

  async #current() {
    const age = this.#clock() - this.#fetchedAt;
    const isFresh = this.#isWithin(this.#fetchedAt, freshMilliseconds);
    const isGood = isFresh || (age < staleMilliseconds && this.#isPausing());
    if (this.#keys !== undefined && isGood) return this.#keys;
    try {
      await this.#read();
    } catch (error) {
      if (this.#keys === undefined || age >= staleMilliseconds) throw error;
    }
    return this.#known();
  }

  /**
   * Whether fewer than `milliseconds` have passed since `since`. If the clock was set back to before `since`, the
   * period counts as over. Otherwise the period would last until the clock reaches `since` again.
   */
  #isWithin(since: number, milliseconds: number): boolean {
    const now = this.#clock();
    return since <= now && now - since < milliseconds;
  }

  #isPausing(): boolean {
    return this.#isWithin(this.#unreachableSince, pauseMilliseconds);
  }

  #known() {
    if (this.#keys === undefined) throw this.#unavailable();
    return this.#keys;
  }

  #unavailable(cause?: unknown): IssuerUnavailableError {
    const wait = this.#readingStartedAt + betweenReadingsMilliseconds - this.#clock();
    const retryAfterSeconds = Math.max(1, Math.ceil(wait / 1_000));
    return new IssuerUnavailableError({ issuer: this.#issuer, retryAfterSeconds, cause });
  }

  /** Concurrent requests share one read. */
  async #read(): Promise<void> {
    if (this.#reading === undefined) {
      if (this.#isWithin(this.#readingStartedAt, betweenReadingsMilliseconds)) throw this.#unavailable();
      this.#readingStartedAt = this.#clock();
      this.#readings += 1;
      this.#reading = this.#readOnce().finally(() => {
        this.#reading = undefined;
      });
    }
    await this.#reading;
  }

  async #readOnce(): Promise<void> {
    try {
      // The breaker skips the read if the issuer hung a moment ago.
      await this.#breaker.run(() => this.#discover());
    } catch (cause) {
      this.#unreachableSince = this.#clock();
      throw this.#unavailable(cause);
    }
  }

  async #discover(): Promise<void> {
    const reading = this.#readings;
    const base = this.#issuer.replace(/\/$/, '');
    const discovery = await fetchJson(`${base}/.well-known/openid-configuration`, discoverySchema);
    // OpenID Connect Discovery 1.0, 4.3: the document must name exactly the requested issuer.
    if (discovery.issuer !== this.#issuer)
      throw new Error(`the discovery document names another issuer: ${discovery.issuer}`);
    this.#keys = createLocalJWKSet(await fetchJson(discovery.jwks_uri, jwksSchema));
    this.#keysAreFrom = reading;
    this.#fetchedAt = this.#clock();
    this.#unreachableSince = Number.NEGATIVE_INFINITY;
  }
}
