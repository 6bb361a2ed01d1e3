import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { IdempotencyKeyInUseError, IdempotencyKeyReusedError } from '../errors.ts';
import type { Claim, ClaimState, Claims, ResourceReference } from '../ports/claims.ts';
import type { ChosenSigner } from '../transactions/key-ring.ts';

/** What makes a repetition of a request known as one. */
export interface Idempotency {
  /** What the key is for: the same key elsewhere is another. Addresses in it are in lower case. */
  readonly scope: string;
  /** The caller's; without one every request is a new one. */
  readonly key: string | undefined;
  /** As parsed: two texts that say the same are the same request. */
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

/** As keys are kept: whoever reads the table cannot use them. */
export const keptKey = (key: string): string => sha256(key);

/** The claim by which a request holds its key; `undefined` without a key. */
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
 * The result under the key, if it has one.
 *
 * @throws IdempotencyKeyReusedError when the key is another body's, IdempotencyKeyInUseError while its first request
 * is under way.
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

/** What an earlier request with this key made; throws as `resultOf`. */
export const findResult = async (
  { claims, clock }: { readonly claims: Pick<Claims, 'find'>; readonly clock: Clock },
  claim: Claim | undefined,
): Promise<ResourceReference | undefined> => {
  const found = claim === undefined ? undefined : await claims.find(claim.scope);
  return claim === undefined || found === undefined ? undefined : resultOf(found, { claim, now: clock() });
};

/**
 * Of a look at the key and a choice of the signer, made side by side: the key's result comes before whatever refused
 * the choice, since that request was accepted once. Throws what either was rejected with.
 */
export const resultOrSigner = ([earlier, chosen]: readonly [
  PromiseSettledResult<ResourceReference | undefined>,
  PromiseSettledResult<ChosenSigner>,
]):
  | { readonly outcome: 'replayed'; readonly result: ResourceReference }
  | { readonly outcome: 'new'; readonly signer: ChosenSigner } => {
  if (earlier.status === 'rejected') throw earlier.reason;
  if (earlier.value !== undefined) return { outcome: 'replayed', result: earlier.value };
  if (chosen.status === 'rejected') throw chosen.reason;
  return { outcome: 'new', signer: chosen.value };
};
