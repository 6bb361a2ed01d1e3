import { ChainUnavailableError } from '../../chain/errors.ts';
import type { Application } from '../../platform/applications/application.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { DailyLimitReachedError, IdempotencyKeyInUseError, LimitTooSmallError } from '../errors.ts';
import type { Chain } from '../ports/chain.ts';
import type { Countable, Counting, DailyCounts } from '../ports/daily-counts.ts';
import type { Hold, Holds, ResourceReference } from '../ports/holds.ts';
import type { MetricEvents } from '../ports/metrics.ts';
import { addressOfSigner } from '../transactions/entry.ts';
import { type FeeQuote, knownFeeQuote } from '../transactions/fees.ts';
import type { ChosenSigner } from '../transactions/key-ring.ts';
import type { TransactionSettings } from '../transactions/settings.ts';
import type { FundsGuard } from '../transactions/signer-funds.ts';
import type { Backpressure } from './backpressure.ts';
import { holdingDeadline, requestLeaseMilliseconds } from './deadlines.ts';
import { releaseHold, type Taken } from './give-back.ts';
import { resultOf } from './idempotency.ts';

export interface AdmitDependencies {
  readonly chain: Pick<Chain, 'fees'>;
  readonly holds: Pick<Holds, 'take' | 'release'>;
  readonly counts: Pick<DailyCounts, 'count'>;
  readonly requireFunds: FundsGuard;
  readonly backpressure: Pick<Backpressure, 'requireNone'>;
  readonly events: MetricEvents;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly settings: Pick<TransactionSettings, 'feeCeiling' | 'endpointFeeCap' | 'feeLifetimeMilliseconds'>;
}

/** What `admit` must know about a request. */
export interface AdmissionRequest {
  readonly application: Pick<Application, 'id'>;
  readonly signer: ChosenSigner;
  /** `undefined` if the request has no idempotency key. */
  readonly hold: Hold | undefined;
  /**
   * What the request adds to the application's daily count: the kind, the amount, and the daily limit for this kind.
   */
  readonly quota: { readonly what: Countable; readonly by: number; readonly limit: number };
  readonly gas: bigint;
  /** When the request's handler started, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** An admitted request. Its next steps may reserve a nonce, token ids and places in a limited supply. */
export interface Admitted {
  readonly outcome: 'admitted';
  readonly signer: ChosenSigner;
  readonly feeQuote: FeeQuote;
  readonly taken: Taken;
  readonly startedAt: number;
}

export type Admission =
  | Admitted
  /** The idempotency key already has a result. The response is that result. */
  | { readonly outcome: 'repeated'; readonly result: ResourceReference };

const dayMilliseconds = 24 * 60 * 60 * 1_000;

const countedOf = (
  { application, quota }: Pick<AdmissionRequest, 'application' | 'quota'>,
  now: number,
): Counting => ({
  applicationId: application.id,
  what: quota.what,
  by: quota.by,
  day: new Date(now).toISOString().slice(0, 10),
});

const requireQuota = async (
  { counts, clock }: Pick<AdmitDependencies, 'counts' | 'clock'>,
  { counted, limit }: { readonly counted: Counting; readonly limit: number },
): Promise<void> => {
  if (await counts.count({ ...counted, limit })) return;
  const retryAfterSeconds = Math.ceil((dayMilliseconds - (clock() % dayMilliseconds)) / 1_000);
  throw new DailyLimitReachedError({ what: counted.what, limit, retryAfterSeconds });
};

/**
 * Takes the idempotency key for as long as a handler can run. Returns `undefined` if this request now holds the key.
 * If another request with the key has finished in the meantime, returns that request's result.
 */
export const takeHold = async (
  { holds, clock }: Pick<AdmitDependencies, 'holds' | 'clock'>,
  hold: Hold,
): Promise<ResourceReference | undefined> => {
  const now = clock();
  const holder = await holds.take({ hold, at: now, leaseUntil: now + requestLeaseMilliseconds });
  if (holder === undefined) return undefined;
  const result = resultOf(holder, { hold, now });
  // The lease of the other request has expired since the key was refused. The caller must retry.
  if (result === undefined) throw new IdempotencyKeyInUseError();
  return result;
};

/** @throws LimitTooSmallError, LogBusyError */
export const requireOpen = (
  { backpressure }: Pick<AdmitDependencies, 'backpressure'>,
  { what, by, limit }: AdmissionRequest['quota'],
): void => {
  if (by > limit) throw new LimitTooSmallError({ what, limit, asked: by });
  backpressure.requireNone();
};

/**
 * Takes the idempotency key, so that only one of several requests with the key continues. Then adds the request to the
 * daily count.
 * @throws DailyLimitReachedError, and the errors of `resultOf`
 */
export const holdAndCount = async (
  dependencies: Pick<AdmitDependencies, 'holds' | 'counts' | 'clock' | 'logger'>,
  { application, hold, quota }: Pick<AdmissionRequest, 'application' | 'hold' | 'quota'>,
): Promise<
  | { readonly outcome: 'counted'; readonly taken: Taken }
  | Extract<Admission, { readonly outcome: 'repeated' }>
> => {
  // If DynamoDB does not answer, it may have stored the hold anyway. In that case the key is free again when the
  // hold's lease expires.
  const result = hold === undefined ? undefined : await takeHold(dependencies, hold);
  if (result !== undefined) return { outcome: 'repeated', result };
  const counted = countedOf({ application, quota }, dependencies.clock());
  try {
    await requireQuota(dependencies, { counted, limit: quota.limit });
  } catch (error) {
    await releaseHold(dependencies, hold);
    throw error;
  }
  return { outcome: 'counted', taken: { hold, counted } };
};

/**
 * Before a nonce is reserved:
 * 1. refuses a request that alone exceeds the daily limit. Refuses every request while the log has a backlog, fees are
 *    over the ceiling, the signer's balance is too low, or too little time is left;
 * 2. takes the idempotency key, so that only one of several requests with the key continues;
 * 3. adds the request to the daily count, and refuses the request if the daily limit is reached.
 */
export const admit = async (
  dependencies: AdmitDependencies,
  { application, signer, hold, quota, gas, startedAt }: AdmissionRequest,
): Promise<Admission> => {
  const { clock } = dependencies;
  requireOpen(dependencies, quota);

  const { state } = signer;
  const feeQuote = await knownFeeQuote(dependencies, { state, gas });
  await dependencies.requireFunds({
    address: addressOfSigner(signer.id),
    state,
    cost: gas * feeQuote.maxFeePerGas,
  });
  if (clock() >= holdingDeadline(startedAt)) {
    throw new ChainUnavailableError({
      message: 'The chain took so long to answer that no time is left to record the transaction',
    });
  }

  const counted = await holdAndCount(dependencies, { application, hold, quota });
  return counted.outcome === 'repeated'
    ? counted
    : { outcome: 'admitted', signer, feeQuote, taken: counted.taken, startedAt };
};
