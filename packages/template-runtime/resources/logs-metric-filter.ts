import * as z from 'zod';
import { resourceType } from './resource-type.ts';

/** Checked, and without effect: no metrics are kept locally. */
export const metricFilter = resourceType({
  type: 'AWS::Logs::MetricFilter',
  properties: z.strictObject({
    FilterName: z.string().optional(),
    FilterPattern: z.string(),
    LogGroupName: z.string(),
    ApplyOnTransformedLogs: z.boolean().optional(),
    MetricTransformations: z
      .array(
        z.strictObject({
          MetricName: z.string(),
          MetricNamespace: z.string(),
          MetricValue: z.string(),
          DefaultValue: z.number().optional(),
          Unit: z.string().optional(),
          Dimensions: z.array(z.strictObject({ Key: z.string(), Value: z.string() })).optional(),
        }),
      )
      .length(1),
  }),
  deploy: async ({ FilterName }, { stackName, logicalId }) => ({
    ref: FilterName ?? `${stackName}-${logicalId}`,
  }),
});
