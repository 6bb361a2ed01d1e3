import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Logger } from '../../logger.ts';
import type { Events, Gauges } from '../../nft/ports/events.ts';

/** The maximum number of values of one metric in one log line ("Specification: Embedded metric format"). */
const valuesAtMost = 100;

/**
 * Writes each event as a log line and as a metric in CloudWatch's embedded metric format. The dimension `service` is
 * always `nft`, so that alarms need not name the function. Gauges have the signer's number as a second dimension.
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
      // Publishing the metrics removes the dimension again.
      metrics.addDimension('signer', String(signer));
      publish({ ...measures });
    },
  };
};
