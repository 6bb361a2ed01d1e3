import type { Logger } from '../logger.ts';
import { type Clock, systemClock } from '../time/clock.ts';

/** Calls `act` after a time, unless the returned function is called first. */
type Timer = (milliseconds: number, act: () => void) => () => void;

const systemTimer: Timer = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

/** The service timed out a moment ago, so this call was skipped. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';

  constructor(service: string) {
    super(`${service} was not called, because a call timed out a moment ago`);
  }
}

export interface CircuitBreaker {
  /** @throws CircuitOpenError immediately while the circuit is open, otherwise whatever the exchange throws. */
  run<Answer>(exchange: () => Promise<Answer>): Promise<Answer>;
}

/** How long the circuit stays open after a timeout before one call probes the service. */
const defaultPauseMilliseconds = 2_000;

/** How long the caller of a probe waits. The exchange continues, so a slower response still closes the circuit. */
const defaultProbeMilliseconds = 250;

/**
 * No exchange takes longer than this. A probe that started longer ago was frozen together with its function instance,
 * so another probe may start.
 */
const longestProbeMilliseconds = 10_000;

export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/**
 * Skips calls to a service that hangs. One timeout opens the circuit, and then calls fail immediately. Other failures
 * cost no time. So they do not open the circuit, and a probe that fails without a timeout closes the circuit. Lambda
 * freezes instances, so the breaker has no timer and compares times at the next call.
 */
export const circuitBreaker = ({
  service,
  fields = {},
  logger,
  gauge = () => {},
  isHanging = isTimeout,
  clock = systemClock,
  timer = systemTimer,
  pauseMilliseconds = defaultPauseMilliseconds,
  probeMilliseconds = defaultProbeMilliseconds,
}: {
  readonly service: string;
  /** Further fields for the log. @default none */
  readonly fields?: Readonly<Record<string, string>>;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Called with `true` after each timeout, and with `false` when the circuit closes. @default none */
  readonly gauge?: (isOpen: boolean) => void;
  /** Whether an exchange failed with a timeout. @default judged by the error's name */
  readonly isHanging?: (error: unknown) => boolean;
  readonly clock?: Clock;
  /** @default `setTimeout` */
  readonly timer?: Timer;
  /** How long the circuit stays open before a call probes the service. @default 2_000 */
  readonly pauseMilliseconds?: number;
  /** How long the caller of a probe waits. @default 250 */
  readonly probeMilliseconds?: number;
}): CircuitBreaker => {
  let leftAloneSince: number | undefined;
  let probeStartedAt = Number.NEGATIVE_INFINITY;

  const leaveAlone = () => {
    leftAloneSince = clock();
  };
  const open = () => {
    if (leftAloneSince === undefined)
      logger.warn('Circuit opened: an outside service did not answer in time', {
        code: 'CIRCUIT_OPENED',
        outside_service: service,
        ...fields,
      });
    leaveAlone();
    gauge(true);
  };
  const close = () => {
    if (leftAloneSince === undefined) return;
    logger.info('Outside service answers again', {
      code: 'CIRCUIT_CLOSED',
      outside_service: service,
      ...fields,
    });
    leftAloneSince = undefined;
    gauge(false);
  };

  const watched = async <Answer>(exchange: () => Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await exchange();
      close();
      return answer;
    } catch (error) {
      if (isHanging(error)) open();
      else close();
      throw error;
    }
  };

  const probe = async <Answer>(exchange: () => Promise<Answer>): Promise<Answer> => {
    probeStartedAt = clock();
    leaveAlone();
    const going = watched(exchange).finally(() => {
      probeStartedAt = Number.NEGATIVE_INFINITY;
    });
    // Prevents an unhandled rejection after the caller has stopped waiting. `watched` has recorded the outcome.
    going.catch(() => {});
    const { promise: patience, reject } = Promise.withResolvers<never>();
    const cancel = timer(probeMilliseconds, () => reject(new CircuitOpenError(service)));
    return Promise.race([going, patience]).finally(cancel);
  };

  return {
    run: (exchange) => {
      if (leftAloneSince === undefined) return watched(exchange);
      const now = clock();
      // If the clock was set back to before `since`, the period counts as over. Otherwise the period would last until
      // the clock reaches `since` again.
      const isWithin = (since: number, milliseconds: number) => since <= now && now - since < milliseconds;
      const isProbing = isWithin(probeStartedAt, longestProbeMilliseconds);
      if (isWithin(leftAloneSince, pauseMilliseconds) || isProbing)
        return Promise.reject(new CircuitOpenError(service));
      return probe(exchange);
    },
  };
};
