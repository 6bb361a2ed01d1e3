import * as z from 'zod';
import { resourceType } from './resource-type.ts';

export const metricFilter = resourceType({
  type: 'AWS::Logs::MetricFilter',
  properties: z.strictObject({
    FilterName: z.string().optional(),
    FilterPattern: z.string(),
    LogGroupName: z.string(),
    ApplyOnTransformedLogs: z.boolean().optional(),
    MetricTransformations: z.tuple([
      z.strictObject({
        MetricName: z.string(),
        MetricNamespace: z.string(),
        MetricValue: z.string(),
        /** This default has no effect: lines that do not match give the metric no value. */
        DefaultValue: z.number().optional(),
        Unit: z.string().optional(),
        Dimensions: z.array(z.strictObject({ Key: z.string(), Value: z.string() })).optional(),
      }),
    ]),
  }),
  deploy: async (
    { FilterName, FilterPattern, LogGroupName, MetricTransformations: [transformation] },
    { engines, stackName, logicalId },
  ) => {
    const name = FilterName ?? `${stackName}-${logicalId}`;
    engines.logs.putMetricFilter({
      name,
      groupName: LogGroupName,
      pattern: FilterPattern,
      namespace: transformation.MetricNamespace,
      metric: transformation.MetricName,
      value: transformation.MetricValue,
      dimensions: Object.fromEntries((transformation.Dimensions ?? []).map(({ Key, Value }) => [Key, Value])),
    });
    return { ref: name };
  },
});
