import type { Application } from '../../applications/application.ts';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { addressOfSigner } from '../entry.ts';
import {
  ChainUnavailableError,
  DailyLimitReachedError,
  IdempotencyKeyInUseError,
  LimitTooSmallError,
} from '../errors.ts';
import type { Chain } from '../ports/chain.ts';
import type { Claim, Claims, ResourceReference } from '../ports/claims.ts';
import type { Countable, Counting, DailyCounts } from '../ports/daily-counts.ts';
import type { Events } from '../ports/events.ts';
import type { Signers } from '../ports/signers.ts';
import { knownOffer, type Offer } from '../transactions/fees.ts';
import type { KnownSigner } from '../transactions/key-ring.ts';
import { leaseMilliseconds, type TransactionSettings, takingDeadline } from '../transactions/settings.ts';
import type { FundsGuard } from './funds.ts';
import { claimOf, type Idempotency, resultOf } from './idempotency.ts';
import type { LogHeat } from './log-heat.ts';

export interface AdmitDependencies {
  readonly chain: Pick<Chain, 'fees'>;
  readonly signers: Pick<Signers, 'find'>;
  readonly claims: Pick<Claims, 'find' | 'claim' | 'release'>;
  readonly counts: DailyCounts;
  readonly requireFunds: FundsGuard;
  readonly logHeat: Pick<LogHeat, 'requireCool'>;
  readonly events: Events;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly settings: Pick<TransactionSettings, 'feeCeiling' | 'endpointFeeCap' | 'feeLifetimeMilliseconds'>;
}

/** What a request asks to be admitted with. */
export interface AdmissionRequest {
  readonly application: Application;
  readonly idempotency: Idempotency;
  /** What is counted for the application, how much of it this is, and how much of it a day may have. */
  readonly quota: { readonly what: Countable; readonly by: number; readonly limit: number };
  readonly gas: bigint;
  /** The signer that is to do it; throws what else refuses the request. */
  readonly signer: () => Promise<KnownSigner>;
}

/** What is held for an admitted request, and let go when it makes nothing. */
export interface Held {
  readonly claim: Claim | undefined;
  readonly counted: Counting;
}

export type Admission =
  | {
      readonly outcome: 'admitted';
      readonly signer: KnownSigner;
      readonly offer: Offer;
      readonly held: Held;
    }
  /** The key had a result already, which is the answer. */
  | { readonly outcome: 'replayed'; readonly result: ResourceReference };

const dayMilliseconds = 24 * 60 * 60 * 1_000;

const countedOf = (
  { application, quota }: Pick<AdmissionRequest, 'application' | 'quota'>,
  now: number,
): Counting => ({
  application: application.id,
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

/** Holds the key for as long as a handler can live; answers its result if it has one meanwhile. */
const takeClaim = async (
  { claims, clock }: Pick<AdmitDependencies, 'claims' | 'clock'>,
  claim: Claim,
): Promise<ResourceReference | undefined> => {
  const now = clock();
  const holder = await claims.claim({ claim, at: now, leaseUntil: now + leaseMilliseconds });
  if (holder === undefined) return undefined;
  const result = resultOf(holder, { claim, now });
  if (result === undefined) throw new IdempotencyKeyInUseError();
  return result;
};

/**
 * Refuses a request that cannot become a transaction now, before anything of the signer's is taken for it:
 * requirements, a log that is hot, fees, funds, time. Then it claims the key, so that of the same requests one goes on, and that one alone
 * counts for the day.
 */
export const admit = async (
  dependencies: AdmitDependencies,
  request: AdmissionRequest & { readonly startedAt: number },
): Promise<Admission> => {
  const { claims, signers, clock } = dependencies;
  const owner = dependencies.randomId();
  const claim = claimOf({
    application: request.application.id,
    idempotency: request.idempotency,
    owner,
  });
  const chosen = async () => {
    const signer = await request.signer();
    return { signer, state: await signers.find(signer.id) };
  };

  const [found, choice] = await Promise.allSettled([
    claim === undefined ? undefined : claims.find(claim.scope),
    chosen(),
  ]);
  // The key's result comes before any refusal: the request was accepted once.
  if (found.status === 'rejected') throw found.reason;
  if (claim !== undefined && found.value !== undefined) {
    const result = resultOf(found.value, { claim, now: clock() });
    if (result !== undefined) return { outcome: 'replayed', result };
  }
  if (choice.status === 'rejected') throw choice.reason;
  const { what, by, limit } = request.quota;
  if (by > limit) throw new LimitTooSmallError({ what, limit, asked: by });
  dependencies.logHeat.requireCool();

  const { signer, state } = choice.value;
  const offer = await knownOffer(dependencies, { state, gas: request.gas });
  await dependencies.requireFunds({
    address: addressOfSigner(signer.id),
    state,
    cost: request.gas * offer.maxFeePerGas,
  });
  if (clock() >= takingDeadline(request.startedAt)) {
    throw new ChainUnavailableError({
      message: 'The chain took so long to answer that no time is left to record',
    });
  }

  const result = claim === undefined ? undefined : await takeClaim(dependencies, claim);
  if (result !== undefined) return { outcome: 'replayed', result };
  const counted = countedOf(request, clock());
  try {
    await requireQuota(dependencies, { counted, limit: request.quota.limit });
  } catch (error) {
    await releaseClaim(dependencies, claim);
    throw error;
  }
  return { outcome: 'admitted', signer, offer, held: { claim, counted } };
};

/** Lets the key go, so that its request can be made again at once. */
const releaseClaim = async (
  { claims, logger }: Pick<AdmitDependencies, 'claims' | 'logger'>,
  claim: Claim | undefined,
): Promise<void> => {
  try {
    if (claim !== undefined) await claims.release(claim);
  } catch (cause) {
    logger.warn('The key stays claimed until its lease is over', { cause });
  }
};

/**
 * Lets go what an admitted request holds when it made nothing. Should the recording be there after all, the claim has
 * ended and is not touched; should it still come, it is refused without its claim. It then keeps its count, as what
 * may come without a key does.
 */
export const letGo = async (
  dependencies: Pick<AdmitDependencies, 'claims' | 'counts' | 'logger'>,
  { held: { claim, counted }, isUnknown }: { readonly held: Held; readonly isUnknown: boolean },
): Promise<void> => {
  await releaseClaim(dependencies, claim);
  if (isUnknown) return;
  try {
    await dependencies.counts.giveBack(counted);
  } catch (cause) {
    dependencies.logger.warn('What made nothing stays counted for the day', { cause });
  }
};
