import { createHash } from 'node:crypto';
import type { Application } from '../../platform/applications/application.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { IdempotencyKeyInUseError, IdempotencyKeyReusedError } from '../errors.ts';
import type { Hold, Holds, KeyState, ResourceReference } from '../ports/holds.ts';

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
  readonly onRepeated?: () => void;
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

/** A request's hold on its idempotency key. `undefined` if the request has no key. */
const holdOf = ({
  applicationId,
  idempotency: { scope, key, body },
  owner,
}: {
  readonly applicationId: string;
  readonly idempotency: Idempotency;
  /** Random. Distinguishes this request from all others. */
  readonly owner: string;
}): Hold | undefined =>
  key === undefined
    ? undefined
    : {
        scope: { applicationId, operation: scope, key: keptKey(key) },
        bodyHash: sha256(JSON.stringify(sorted(body))),
        owner,
      };

/**
 * The result of the request that took the key. `undefined` if the lease of that request has expired without a
 * result.
 *
 * @throws IdempotencyKeyReusedError when that request had another body, IdempotencyKeyInUseError while it may still be
 * running.
 */
export const resultOf = (
  found: KeyState,
  { hold, now }: { readonly hold: Hold; readonly now: number },
): ResourceReference | undefined => {
  if (found.bodyHash !== hold.bodyHash) throw new IdempotencyKeyReusedError();
  if (found.state === 'done') return found.result;
  if (found.leaseUntil >= now) throw new IdempotencyKeyInUseError();
  return undefined;
};

/**
 * Completes the key of a request that found nothing to do. So a late repetition gets this result too, and does nothing,
 * whatever other requests have changed since. Returns `repeated` if another request with the key has a result.
 * @throws the errors of `resultOf`
 */
export const keepResult = async (
  { holds, clock }: { readonly holds: Pick<Holds, 'keep'>; readonly clock: Clock },
  { hold, result }: { readonly hold: Hold | undefined; readonly result: ResourceReference },
): Promise<'kept' | 'repeated'> => {
  if (hold === undefined) return 'kept';
  const now = clock();
  const other = await holds.keep({ hold, result, at: now });
  if (other === undefined) return 'kept';
  if (resultOf(other, { hold, now }) === undefined) throw new IdempotencyKeyInUseError();
  return 'repeated';
};

/** The result of an earlier request with this key, if there is one. Throws the errors of `resultOf`. */
const findResult = async (
  { holds, clock }: Pick<BeginDependencies, 'holds' | 'clock'>,
  hold: Hold | undefined,
): Promise<ResourceReference | undefined> => {
  const found = hold === undefined ? undefined : await holds.find(hold.scope);
  return hold === undefined || found === undefined ? undefined : resultOf(found, { hold, now: clock() });
};

interface BeginDependencies {
  readonly holds: Pick<Holds, 'find'>;
  readonly clock: Clock;
  readonly randomId: () => string;
}

/** A request whose key has no result. */
export interface Begun {
  readonly hold: Hold | undefined;
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
  | { readonly outcome: 'repeated'; readonly result: ResourceReference }
  | (Begun & { readonly outcome: 'new'; readonly required: Required })
> => {
  const startedAt = dependencies.clock();
  const hold = holdOf({ applicationId: application.id, idempotency, owner: dependencies.randomId() });
  const [earlier, required] = await Promise.allSettled([findResult(dependencies, hold), read()]);
  if (earlier.status === 'rejected') throw earlier.reason;
  if (earlier.value !== undefined) return { outcome: 'repeated', result: earlier.value };
  if (required.status === 'rejected') {
    const meanwhile = await findResult(dependencies, hold);
    if (meanwhile !== undefined) return { outcome: 'repeated', result: meanwhile };
    throw required.reason;
  }
  return { outcome: 'new', hold, startedAt, required: required.value };
};
