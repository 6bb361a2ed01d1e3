import { type Clock, systemClock } from '../clock.ts';
import type { Logger } from '../logger.ts';

/** The service did not answer in time a moment ago, and was not asked again. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';

  constructor(service: string) {
    super(`${service} is not asked: it did not answer in time a moment ago`);
  }
}

export interface CircuitBreaker {
  /**
   * Makes an exchange, unless the service is known not to answer.
   *
   * @throws CircuitOpenError at once where it is, and whatever the exchange throws.
   */
  run<Answer>(exchange: () => Promise<Answer>): Promise<Answer>;
}

/** How long a service that did not answer in time is left alone before one call tries it. */
const defaultPauseMilliseconds = 2_000;

/**
 * How long the call that tries it waits. A service that needs longer is noticed all the same: the exchange goes on, and
 * its answer ends the pause for the next call.
 */
const defaultProbeMilliseconds = 250;

/** A probe that is older than any exchange was frozen with its environment. */
const longestProbeMilliseconds = 10_000;

export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/**
 * Spares callers a service that hangs: one time-out opens the circuit, and then "unavailable" is said at once. It has no
 * timer, since environments freeze between calls: what counts is the clock when the next call comes. A service that
 * refuses or answers nonsense costs no time, and is asked each time.
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
  /** Its name in logs and metrics. */
  readonly service: string;
  /** What else the log says of it. @default nothing */
  readonly fields?: Readonly<Record<string, string>>;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Is told when the circuit opens, each time that it stays open, and when it closes. @default nobody is told */
  readonly gauge?: (isOpen: boolean) => void;
  /** Whether an exchange failed for having no answer in time. @default by the error's name */
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
    // Its outcome is noted above, also when nobody waits for it any more.
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
      // A clock that was set back ends a pause as well, which would last for as much longer.
      const isWithin = (since: number, milliseconds: number) => since <= now && now - since < milliseconds;
      const isProbing = isWithin(probeStartedAt, longestProbeMilliseconds);
      if (isWithin(leftAloneSince, pauseMilliseconds) || isProbing)
        return Promise.reject(new CircuitOpenError(service));
      return probe(exchange);
    },
  };
};
