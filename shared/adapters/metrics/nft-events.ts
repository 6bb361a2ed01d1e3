import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Logger } from '../../logger.ts';
import type { Events, Gauges } from '../../nft/ports/events.ts';

/** Most values of one metric in a line, by "Specification: Embedded metric format". */
const valuesAtMost = 100;

/**
 * Each event as a log line for people and, in CloudWatch's embedded metric format, as a metric for its alarm. `nft` is
 * the one value of the dimension `service`, so that an alarm can name the metric whichever function raised it; gauges
 * have the signer's number as a second dimension.
 */
export const metricEvents = ({
  logger,
  namespace,
}: {
  readonly logger: Logger;
  readonly namespace: string;
}): Events & Gauges => {
  const metrics = new Metrics({ namespace, serviceName: 'nft' });
  const publish = (values: Readonly<Record<string, number | readonly number[] | undefined>>): void => {
    for (const [name, value] of Object.entries(values)) {
      const measured = typeof value === 'number' ? [value] : (value ?? []);
      for (const each of measured.slice(0, valuesAtMost)) metrics.addMetric(name, MetricUnit.NoUnit, each);
    }
    metrics.publishStoredMetrics();
  };
  return {
    raise: (event, fields) => {
      logger.warn(event, fields);
      publish({ [event]: 1 });
    },
    measure: ({ signer, measures }) => {
      // Publishing the metrics clears it.
      metrics.addDimension('signer', String(signer));
      publish({ ...measures });
    },
  };
};
