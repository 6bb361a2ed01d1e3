import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Logger } from '../../platform/logger.ts';
import type { Gauges, MetricEvents, StageGauges } from '../ports/metrics.ts';

/** The maximum number of values of one metric in one log line ("Specification: Embedded metric format"). */
const valuesAtMost = 100;

/**
 * Writes each event as a log line and as a metric in CloudWatch's embedded metric format. The dimension `service` is
 * always `nft`, so that alarms need not name the function. Gauges of a signer have its number as a second dimension.
 * The line of the stage's gauges names the signer that each of them is of.
 */
export const metricEvents = ({
  logger,
  namespace,
}: {
  readonly logger: Logger;
  readonly namespace: string;
}): MetricEvents & Gauges & StageGauges => {
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
    measureStage: ({ measures, signers }) => {
      for (const [name, signer] of Object.entries(signers)) {
        if (signer !== undefined) metrics.addMetadata(`${name}_of`, signer);
      }
      publish({ ...measures });
    },
  };
};
