import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { circuitMetric } from '../../watched.ts';

/**
 * Whether an environment's circuit for a service is open, in CloudWatch's embedded metric format: `CircuitOpen`, 1 or
 * 0, with the service's name as the dimension `service`.
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
