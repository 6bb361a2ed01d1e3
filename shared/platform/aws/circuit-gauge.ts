import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { circuitMetric } from '../watched.ts';

/**
 * A metric in CloudWatch's embedded metric format: `CircuitOpen` is 1 while a function instance skips calls to a
 * service, else 0. The dimension `service` has the service's name.
 */
export const circuitGauge = ({
  service,
  namespace,
}: {
  readonly service: string;
  readonly namespace: string;
}): ((isOpen: boolean) => void) => {
  const metrics = new Metrics({ namespace, serviceName: service });
  return (isOpen) => {
    metrics.addMetric(circuitMetric, MetricUnit.NoUnit, isOpen ? 1 : 0);
    metrics.publishStoredMetrics();
  };
};
