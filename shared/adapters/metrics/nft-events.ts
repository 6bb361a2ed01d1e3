import type { Log } from '../../logger.ts';
import type { Events, Gauges } from '../../nft/ports/events.ts';

/**
 * Each event as a log line for people and, in CloudWatch's embedded metric format, as a metric for its alarm.
 * Written by hand, since it is one line of JSON. `Nft` is the one value of the dimension, so that an alarm can
 * name the metric whatever function it came from.
 */
export const metricEvents = ({
  logger,
  namespace,
  write,
  clock,
}: {
  readonly logger: Log;
  readonly namespace: string;
  /** Takes one line for the function's log. */
  readonly write: (line: string) => void;
  readonly clock: () => number;
}): Events & Gauges => {
  const metrics = (values: Readonly<Record<string, number>>): void => {
    const Metrics = Object.keys(values).map((Name) => ({ Name }));
    const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [['service']], Metrics }];
    write(JSON.stringify({ _aws: { Timestamp: clock(), CloudWatchMetrics }, service: 'nft', ...values }));
  };
  return {
    raise: (event, fields) => {
      logger.warn(event, fields);
      metrics({ [event]: 1 });
    },
    measure: (measures) => metrics({ ...measures }),
  };
};
