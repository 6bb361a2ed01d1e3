import { handlerLifetimeMilliseconds } from '../../handler-lifetime.ts';

/** What a stage sets for its transactions. */
export interface TransactionSettings {
  /** How many nonces beyond the mined ones are broadcast at a time. */
  readonly inFlightCap: number;
  /** The highest fee of any transaction, wei for each gas. */
  readonly feeCeiling: bigint;
  /** The highest gas limit times fee that the endpoints' nodes accept for one transaction, wei. @default any */
  readonly endpointFeeCap?: bigint | undefined;
  /** How long fees that the waiter read are used. @default two blocks of Polygon */
  readonly feeLifetimeMilliseconds?: number;
}

export type FeeLimits = Pick<TransactionSettings, 'feeCeiling' | 'endpointFeeCap'>;

/** Two blocks of Polygon. */
export const defaultFeeLifetimeMilliseconds = 4_000;

/** Until when a handler may begin to reserve: a later start could not finish within the rest of its life. */
export const takingDeadline = (startedAt: number): number => startedAt + handlerLifetimeMilliseconds - 4_000;

/** When a handler stops trying again: the time left then is for its answer. */
export const handlerDeadline = (startedAt: number): number => startedAt + handlerLifetimeMilliseconds - 1_500;

/**
 * Until when a handler may begin to send: a broadcast takes six seconds when endpoints hang, and the waiter sends too.
 */
export const sendingDeadline = (startedAt: number): number => startedAt + handlerLifetimeMilliseconds - 6_500;

/** A nonce without an entry by then never gets one from the handler that took it. */
export const gapPatienceMilliseconds = handlerLifetimeMilliseconds + 5_000;

/** A claim outlives its handler by no more than clocks may differ. */
export const leaseMilliseconds = handlerLifetimeMilliseconds + 2_000;
