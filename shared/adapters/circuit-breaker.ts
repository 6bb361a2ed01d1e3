import { type Clock, systemClock } from '../clock.ts';
import type { Logger } from '../logger.ts';

/** The service timed out a moment ago, so it was not asked again. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';

  constructor(service: string) {
    super(`${service} is not asked: it did not answer in time a moment ago`);
  }
}

export interface CircuitBreaker {
  /**
   * Makes an exchange, unless the circuit is open.
   *
   * @throws CircuitOpenError at once while the circuit is open, and whatever the exchange throws.
   */
  run<Answer>(exchange: () => Promise<Answer>): Promise<Answer>;
}

/** How long the circuit stays open after a timeout before one call probes the service. */
const defaultPauseMilliseconds = 2_000;

/**
 * How long the probing caller waits. A slower service is noticed too: the exchange goes on, and its answer closes the
 * circuit for the next call.
 */
const defaultProbeMilliseconds = 250;

/** A probe older than any exchange was frozen with its environment. */
const longestProbeMilliseconds = 10_000;

export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/**
 * Spares callers a service that hangs: one timeout opens the circuit, and then "unavailable" is answered at once. It
 * has no timer, because environments freeze between calls: the clock at the next call counts. A service that refuses or
 * answers nonsense costs no time and is asked each time.
 */
export const circuitBreaker = ({
  service,
  fields = {},
  logger,
  gauge = () => {},
  isHanging = isTimeout,
  clock = systemClock,
  pauseMilliseconds = defaultPauseMilliseconds,
  probeMilliseconds = defaultProbeMilliseconds,
}: {
  /** The service's name in logs and metrics. */
  readonly service: string;
  /** Further fields for the log. @default nothing */
  readonly fields?: Readonly<Record<string, string>>;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Called when the circuit opens, each time it stays open, and when it closes. @default nobody */
  readonly gauge?: (isOpen: boolean) => void;
  /** Whether an exchange failed with a timeout. @default by the error's name */
  readonly isHanging?: (error: unknown) => boolean;
  readonly clock?: Clock;
  /** @default 2_000 */
  readonly pauseMilliseconds?: number;
  /** @default 250 */
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
    // The outcome is noted above, even when nobody waits for it any more.
    going.catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new CircuitOpenError(service)), probeMilliseconds);
    });
    return Promise.race([going, patience]).finally(() => clearTimeout(timer));
  };

  return {
    run: (exchange) => {
      if (leftAloneSince === undefined) return watched(exchange);
      const now = clock();
      // A clock that was set back ends the pause too, which would otherwise last that much longer.
      const isWithin = (since: number, milliseconds: number) => since <= now && now - since < milliseconds;
      const isProbing = isWithin(probeStartedAt, longestProbeMilliseconds);
      if (isWithin(leftAloneSince, pauseMilliseconds) || isProbing)
        return Promise.reject(new CircuitOpenError(service));
      return probe(exchange);
    },
  };
};
