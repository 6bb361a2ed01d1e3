import { createHash } from 'node:crypto';
import type { Application } from '../../platform/applications/application.ts';
import type { Clock } from '../../platform/clock.ts';
import { IdempotencyKeyInUseError, IdempotencyKeyReusedError } from '../errors.ts';
import type { Claim, ClaimState, Claims, ResourceReference } from '../ports/claims.ts';

/** Identifies a request, so that a retry of the request is recognized. */
export interface Idempotency {
  /**
   * The scope of the key. The same key in another scope is a different key. Addresses in the scope are in lower case.
   */
  readonly scope: string;
  /** The caller's key. A request without a key is always a new request. */
  readonly key: string | undefined;
  /** The parsed body. It is compared by content, so the order of its fields does not matter. */
  readonly body: unknown;
  /** Called if the caller gets the result of an earlier request with this key. @default nothing */
  readonly onReplayed?: () => void;
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  );
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Keys are stored as hashes, so that nobody can read a key from the table and use it. */
export const keptKey = (key: string): string => sha256(key);

/** The claim with which a request holds its idempotency key. `undefined` if the request has no key. */
const claimOf = ({
  application,
  idempotency: { scope, key, body },
  owner,
}: {
  readonly application: string;
  readonly idempotency: Idempotency;
  /** Random. Distinguishes this request from all others. */
  readonly owner: string;
}): Claim | undefined =>
  key === undefined
    ? undefined
    : {
        scope: { application, operation: scope, key: keptKey(key) },
        bodyHash: sha256(JSON.stringify(sorted(body))),
        owner,
      };

/**
 * The result of the request that claimed the key. `undefined` if the lease of that request has expired without a
 * result.
 *
 * @throws IdempotencyKeyReusedError when that request had another body, IdempotencyKeyInUseError while it may still be
 * running.
 */
export const resultOf = (
  found: ClaimState,
  { claim, now }: { readonly claim: Claim; readonly now: number },
): ResourceReference | undefined => {
  if (found.bodyHash !== claim.bodyHash) throw new IdempotencyKeyReusedError();
  if (found.state === 'done') return found.result;
  if (found.leaseUntil >= now) throw new IdempotencyKeyInUseError();
  return undefined;
};

/** The result of an earlier request with this key, if there is one. Throws the errors of `resultOf`. */
const findResult = async (
  { claims, clock }: Pick<BeginDependencies, 'claims' | 'clock'>,
  claim: Claim | undefined,
): Promise<ResourceReference | undefined> => {
  const found = claim === undefined ? undefined : await claims.find(claim.scope);
  return claim === undefined || found === undefined ? undefined : resultOf(found, { claim, now: clock() });
};

interface BeginDependencies {
  readonly claims: Pick<Claims, 'find'>;
  readonly clock: Clock;
  readonly randomId: () => string;
}

/** A request whose key has no result. */
export interface Begun {
  readonly claim: Claim | undefined;
  /** When the request's handler started, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * Begins a request. Looks up its key's result, and concurrently reads what the request requires, such as its contract
 * and signer. If the key has a result, that result is returned even if a requirement does not hold any more, because the
 * earlier request was accepted. Otherwise the error of a failed step is thrown. `read` throws all refusals that an
 * earlier request with the same key can cause: before it counts, the key is looked up again, because that request may
 * have succeeded between the two reads.
 */
export const begin = async <Required>(
  dependencies: BeginDependencies,
  {
    application,
    idempotency,
  }: { readonly application: Pick<Application, 'id'>; readonly idempotency: Idempotency },
  read: () => Promise<Required>,
): Promise<
  | { readonly outcome: 'replayed'; readonly result: ResourceReference }
  | (Begun & { readonly outcome: 'new'; readonly required: Required })
> => {
  const startedAt = dependencies.clock();
  const claim = claimOf({ application: application.id, idempotency, owner: dependencies.randomId() });
  const [earlier, required] = await Promise.allSettled([findResult(dependencies, claim), read()]);
  if (earlier.status === 'rejected') throw earlier.reason;
  if (earlier.value !== undefined) return { outcome: 'replayed', result: earlier.value };
  if (required.status === 'rejected') {
    const meanwhile = await findResult(dependencies, claim);
    if (meanwhile !== undefined) return { outcome: 'replayed', result: meanwhile };
    throw required.reason;
  }
  return { outcome: 'new', claim, startedAt, required: required.value };
};
