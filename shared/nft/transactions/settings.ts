import { handlerLifetimeMilliseconds } from '../../platform/handler-lifetime.ts';
import { patient } from '../../platform/patience.ts';

export interface TransactionSettings {
  /** The maximum number of transactions of one signer that are broadcast but not mined yet. */
  readonly inFlightCap: number;
  /** The maximum fee that a transaction may offer, in wei per gas. */
  readonly feeCeiling: bigint;
  /** The highest product of gas limit and fee that the endpoints' nodes accept, in wei. @default no limit */
  readonly endpointFeeCap?: bigint | undefined;
  /** How long the fees that the waiter stored may be used. @default two blocks of Polygon */
  readonly feeLifetimeMilliseconds?: number;
}

export type FeeLimits = Pick<TransactionSettings, 'feeCeiling' | 'endpointFeeCap'>;

export const defaultFeeLifetimeMilliseconds = 4_000;

/**
 * The latest time at which a handler may take the idempotency key, which is the handler's first write.
 * After that time, too little of the handler's lifetime is left to record the transaction.
 */
export const holdingDeadline = (startedAt: number): number =>
  startedAt + handlerLifetimeMilliseconds - patient(4_000);

/** The time at which a handler stops its retries, so that it can still respond. */
export const handlerDeadline = (startedAt: number): number =>
  startedAt + handlerLifetimeMilliseconds - patient(1_500);

/** The latest time at which a handler may begin a broadcast, which takes up to six seconds if endpoints hang. */
export const sendingDeadline = (startedAt: number): number =>
  startedAt + handlerLifetimeMilliseconds - patient(6_500);

/** If a reserved nonce has no log entry after this time, the handler that reserved it is dead. */
export const gapPatienceMilliseconds = handlerLifetimeMilliseconds + 5_000;

/**
 * How long the hold of an idempotency key and the lease of a claim last: as long as a handler can live, plus the
 * possible difference between clocks.
 */
export const requestLeaseMilliseconds = handlerLifetimeMilliseconds + 2_000;
