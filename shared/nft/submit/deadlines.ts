import { handlerLifetimeMilliseconds } from '../../platform/time/handler-lifetime.ts';
import { patient } from '../../platform/time/patience.ts';

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

/**
 * How long the hold of an idempotency key and the lease of a claim last: as long as a handler can live, plus the
 * possible difference between clocks.
 */
export const requestLeaseMilliseconds = handlerLifetimeMilliseconds + 2_000;
