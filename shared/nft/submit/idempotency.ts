import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { IdempotencyKeyInUseError, IdempotencyKeyReusedError } from '../errors.ts';
import type { Claim, ClaimState, Claims, ResourceReference } from '../ports/claims.ts';
import type { ChosenSigner } from '../transactions/key-ring.ts';

/** What identifies a repeated request. */
export interface Idempotency {
  /** The scope of the key: the same key elsewhere is another key. Addresses in it are in lower case. */
  readonly scope: string;
  /** The caller's key; without one, every request is new. */
  readonly key: string | undefined;
  /** The parsed body: two texts with the same meaning are the same request. */
  readonly body: unknown;
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

/** Keys are stored as hashes: whoever reads the table cannot use them. */
export const keptKey = (key: string): string => sha256(key);

/** The claim with which a request holds its key; `undefined` without a key. */
export const claimOf = ({
  application,
  idempotency: { scope, key, body },
  owner,
}: {
  readonly application: string;
  readonly idempotency: Idempotency;
  /** Random; tells this request from any other. */
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
 * The key's result, if it has one.
 *
 * @throws IdempotencyKeyReusedError when the key belongs to another body, IdempotencyKeyInUseError while its first
 * request is under way.
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

/** What an earlier request with this key made; throws as `resultOf` does. */
export const findResult = async (
  { claims, clock }: { readonly claims: Pick<Claims, 'find'>; readonly clock: Clock },
  claim: Claim | undefined,
): Promise<ResourceReference | undefined> => {
  const found = claim === undefined ? undefined : await claims.find(claim.scope);
  return claim === undefined || found === undefined ? undefined : resultOf(found, { claim, now: clock() });
};

/**
 * Joins a lookup of the key and a choice of the signer that run side by side. The key's result comes first, because
 * that request was accepted once. Throws the rejection of either.
 */
export const resultOrSigner = <Signer extends ChosenSigner>([earlier, chosen]: readonly [
  PromiseSettledResult<ResourceReference | undefined>,
  PromiseSettledResult<Signer>,
]):
  | { readonly outcome: 'replayed'; readonly result: ResourceReference }
  | { readonly outcome: 'new'; readonly signer: Signer } => {
  if (earlier.status === 'rejected') throw earlier.reason;
  if (earlier.value !== undefined) return { outcome: 'replayed', result: earlier.value };
  if (chosen.status === 'rejected') throw chosen.reason;
  return { outcome: 'new', signer: chosen.value };
};
