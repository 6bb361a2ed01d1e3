import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { CheckStageDependencies } from '../check-stage.ts';

/** Writes the findings in CloudWatch's embedded metric format, with the dimension `service` = `canary`. */
export const stageFindings = (namespace: string): CheckStageDependencies['findings'] => {
  const metrics = new Metrics({ namespace, serviceName: 'canary' });
  return (findings) => {
    for (const [name, value] of Object.entries(findings)) {
      if (value !== undefined) metrics.addMetric(name, MetricUnit.Count, value);
    }
    metrics.publishStoredMetrics();
  };
};
