import { createLocalJWKSet, errors, type JWSHeaderParameters, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { IssuerUnavailableError } from '../../auth/errors.ts';
import type { Clock } from '../../clock.ts';
import type { CircuitBreaker } from '../circuit-breaker.ts';

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() });
const jwksSchema = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/** Of each of the two documents. */
const timeoutMilliseconds = 1_500;

/** Keys that were withdrawn are forgotten after this long. */
const freshMilliseconds = 10 * 60_000;

/** How long keys that cannot be read again stay good, while the issuer is down. */
const staleMilliseconds = 60 * 60_000;

/**
 * After a `kid` that the issuer turned out not to know, the next unknown one does not make us ask again for
 * this long: otherwise anyone could use us to flood the issuer. A rotation is not slowed by it, since asking
 * again then finds the key.
 */
const cooldownMilliseconds = 10_000;

/**
 * After the issuer could not be reached, what is known serves for this long before it is asked again: otherwise every
 * token would wait for an issuer that hangs.
 */
const pauseMilliseconds = 5_000;

const fetchJson = async <T>(url: string, schema: z.ZodType<T>): Promise<T> => {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  return schema.parse(await response.json());
};

/** Signing keys of an OpenID Connect issuer, found by discovery and kept in memory. */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #clock: Clock;
  readonly #breaker: CircuitBreaker;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #quietUntil = Number.NEGATIVE_INFINITY;
  #unreachableUntil = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor({
    issuer,
    clock,
    breaker,
  }: { readonly issuer: string; readonly clock: Clock; readonly breaker: CircuitBreaker }) {
    this.#issuer = issuer;
    this.#clock = clock;
    this.#breaker = breaker;
  }

  /** For `jwtVerify`: the key that a token's header names. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.#current();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.#clock() < this.#quietUntil) throw error;
    }
    // Whether it is a new key or none cannot be told now.
    if (this.#isPausing()) throw new IssuerUnavailableError({ issuer: this.#issuer });
    const refetched = await this.#refetched(header);
    return refetched(header, token);
  };

  async #current() {
    const age = this.#clock() - this.#fetchedAt;
    const isGood = age < freshMilliseconds || (age < staleMilliseconds && this.#isPausing());
    if (this.#keys !== undefined && isGood) return this.#keys;
    try {
      await this.#fetch();
    } catch (error) {
      if (this.#keys === undefined || age >= staleMilliseconds) throw error;
    }
    return this.#known();
  }

  async #refetched(header: JWSHeaderParameters) {
    await this.#fetch();
    const keys = this.#known();
    const isKnown = header.kid !== undefined && keys.jwks().keys.some((key) => key.kid === header.kid);
    if (!isKnown) this.#quietUntil = this.#clock() + cooldownMilliseconds;
    return keys;
  }

  #isPausing(): boolean {
    return this.#clock() < this.#unreachableUntil;
  }

  #known() {
    if (this.#keys === undefined) throw new IssuerUnavailableError({ issuer: this.#issuer });
    return this.#keys;
  }

  /** Requests that come while the keys are being read share that one reading. */
  #fetch(): Promise<void> {
    this.#fetching ??= this.#read().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #read(): Promise<void> {
    try {
      // Nobody waits again for an issuer that hung a moment ago.
      await this.#breaker.run(() => this.#discover());
    } catch (cause) {
      this.#unreachableUntil = this.#clock() + pauseMilliseconds;
      throw new IssuerUnavailableError({ issuer: this.#issuer, cause });
    }
  }

  async #discover(): Promise<void> {
    const base = this.#issuer.replace(/\/$/, '');
    const discovery = await fetchJson(`${base}/.well-known/openid-configuration`, discoverySchema);
    // OpenID Connect Discovery 1.0, 4.3: the document must name the very issuer that it was asked of.
    if (discovery.issuer !== this.#issuer) throw new Error(`discovery names issuer ${discovery.issuer}`);
    this.#keys = createLocalJWKSet(await fetchJson(discovery.jwks_uri, jwksSchema));
    this.#fetchedAt = this.#clock();
    this.#unreachableUntil = Number.NEGATIVE_INFINITY;
  }
}
