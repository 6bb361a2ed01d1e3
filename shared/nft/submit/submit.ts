import { createHash } from 'node:crypto';
import type { Application } from '../../applications/application.ts';
import { BadRequestError } from '../../errors.ts';
import { DailyLimitReachedError, IdempotencyKeyInUseError, IdempotencyKeyReusedError } from '../errors.ts';
import { ChainUnavailableError } from '../ports/chain.ts';
import type { Claim, ClaimState, ResourceReference } from '../ports/claims.ts';
import type { Countable, DailyCounts } from '../ports/daily-counts.ts';
import { type Resource, signerIdOf } from '../transactions/entry.ts';
import { knownOffer } from '../transactions/fees.ts';
import { isInFlight } from '../transactions/nonce.ts';
import {
  handlerDeadline,
  leaseMilliseconds,
  sendingDeadline,
  takingDeadline,
} from '../transactions/settings.ts';
import type { FundsGuard } from './funds.ts';
import { type Logged, type Logging, logTransaction, type Plan } from './record-transaction.ts';

export interface Accepting extends Logging {
  readonly counts: DailyCounts;
  readonly requireFunds: FundsGuard;
}

/** A request that is to become a transaction. */
export interface WriteRequest {
  readonly application: Application;
  readonly method: string;
  /** With addresses in lower case. */
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  /** As parsed: two texts that say the same are the same request. */
  readonly body: unknown;
}

export interface Work {
  readonly what: Countable;
  readonly limit: number;
  readonly gas: bigint;
  /** Throws what refuses the request, before anything is taken. */
  readonly check: (signerId: string) => Promise<void>;
  readonly prepare: () => Promise<Plan>;
}

export type Accepted =
  | { readonly outcome: 'made'; readonly resource: Resource }
  | { readonly outcome: 'replayed'; readonly result: ResourceReference };

const dayMilliseconds = 24 * 60 * 60 * 1_000;

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

/** The header's value; the draft has it as a quoted string, and most clients send it bare. */
const parseKey = (header: string): string => {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new BadRequestError({
    issues: [{ path: 'Idempotency-Key', message: 'From 1 to 255 printable ASCII characters' }],
  });
};

const claimOf = (
  { application, method, path, idempotencyKey, body }: WriteRequest,
  owner: string,
): Claim | undefined =>
  idempotencyKey === undefined
    ? undefined
    : {
        scope: { application: application.id, method, path, key: sha256(parseKey(idempotencyKey)) },
        bodyHash: sha256(JSON.stringify(sorted(body))),
        owner,
      };

/** The result under the key, if it has one; throws when the key is another body's or its first request is under way. */
const resultOf = (found: ClaimState, claim: Claim, now: number): ResourceReference | undefined => {
  if (found.bodyHash !== claim.bodyHash) throw new IdempotencyKeyReusedError();
  if (found.state === 'done') return found.result;
  if (found.leaseUntil >= now) throw new IdempotencyKeyInUseError();
  return undefined;
};

const requireCount = async (
  { counts, clock }: Accepting,
  { application }: WriteRequest,
  { what, limit }: Work,
) => {
  const now = clock();
  const day = new Date(now).toISOString().slice(0, 10);
  if (await counts.count({ application: application.id, what, day, limit })) return;
  const retryAfterSeconds = Math.ceil((dayMilliseconds - (now % dayMilliseconds)) / 1_000);
  throw new DailyLimitReachedError({ what, limit, retryAfterSeconds });
};

/**
 * Lets the key go when the work fails, so that it can be tried again at once. Should the recording be there
 * after all, the claim has ended and is not touched; should it still come, it is refused without its claim.
 */
const releasing = async <Result>(
  { claims, logger }: Accepting,
  claim: Claim | undefined,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (claim !== undefined) {
      await claims
        .release(claim)
        .catch((cause: unknown) => logger.warn('The key stays claimed until its lease is over', { cause }));
    }
    throw error;
  }
};

/**
 * Makes a request into a logged transaction and sends it as far as the signer's flight allows.
 *
 * ```
 * refuse    input, contract, funds, daily limit      nothing is taken
 * claim     the idempotency key, for a handler's life
 * take      a nonce
 * log       transaction, resource and key's result   one write
 * send      whatever happens from here, the waiter sends it again
 * ```
 */
export const accept = async (deps: Accepting, request: WriteRequest, work: Work): Promise<Accepted> => {
  const startedAt = deps.clock();
  const claim = claimOf(request, deps.randomId());

  const address = await deps.signer.address();
  const signer = signerIdOf({ chainId: deps.chain.chainId, address });
  const [found, admission] = await Promise.allSettled([
    claim === undefined ? undefined : deps.claims.find(claim.scope),
    Promise.all([work.check(signer), deps.signers.find(signer)]),
  ]);
  // The key's result comes before any refusal: the request was accepted once.
  if (found.status === 'rejected') throw found.reason;
  if (claim !== undefined && found.value !== undefined) {
    const result = resultOf(found.value, claim, deps.clock());
    if (result !== undefined) return { outcome: 'replayed', result };
  }
  if (admission.status === 'rejected') throw admission.reason;
  const [, state] = admission.value;
  const offer = await knownOffer(deps, state);
  await deps.requireFunds({ address, state, cost: work.gas * offer.maxFeePerGas });
  if (deps.clock() >= takingDeadline(startedAt)) {
    throw new ChainUnavailableError({
      message: 'The chain took so long to answer that no time is left to log',
    });
  }
  await requireCount(deps, request, work);

  if (claim !== undefined) {
    const at = deps.clock();
    const holder = await deps.claims.claim({ claim, at, leaseUntil: at + leaseMilliseconds });
    if (holder !== undefined) {
      const result = resultOf(holder, claim, at);
      if (result === undefined) throw new IdempotencyKeyInUseError();
      return { outcome: 'replayed', result };
    }
  }

  const deadline = handlerDeadline(startedAt);
  const log = async (): Promise<Logged> =>
    logTransaction(deps, { signer, plan: await work.prepare(), offer, claim, deadline });
  const logged = await releasing(deps, claim, log);
  if (logged.outcome === 'replayed') return logged;
  const { entry, resource } = logged;
  const { minedCount } = logged.state;
  const isOurs = isInFlight({ nonce: entry.nonce, minedCount, cap: deps.settings.inFlightCap });
  if (isOurs && deps.clock() < sendingDeadline(startedAt)) {
    for (const { raw } of entry.attempts) {
      const { outcome, detail } = await deps.chain.broadcast(raw);
      if (outcome !== 'accepted' && outcome !== 'already-known') {
        deps.logger.warn('The waiter sends it again', { nonce: entry.nonce, outcome, detail });
      }
    }
  }
  return { outcome: 'made', resource };
};
