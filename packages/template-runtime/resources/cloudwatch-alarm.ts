import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const comparisons = [
  'GreaterThanOrEqualToThreshold',
  'GreaterThanThreshold',
  'LessThanThreshold',
  'LessThanOrEqualToThreshold',
  'LessThanLowerOrGreaterThanUpperThreshold',
  'LessThanLowerThreshold',
  'GreaterThanUpperThreshold',
] as const;

const dimensions = z.array(z.strictObject({ Name: z.string(), Value: z.string() }));
const metric = z.strictObject({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: dimensions.optional(),
});
const metricDataQuery = z.strictObject({
  Id: z.string(),
  Label: z.string().optional(),
  Expression: z.string().optional(),
  Period: z.number().optional(),
  ReturnData: z.boolean().optional(),
  AccountId: z.string().optional(),
  MetricStat: z
    .strictObject({ Metric: metric, Period: z.number(), Stat: z.string(), Unit: z.string().optional() })
    .optional(),
});
const actions = z.array(z.string()).optional();

export const alarm = resourceType({
  type: 'AWS::CloudWatch::Alarm',
  properties: z.strictObject({
    AlarmName: z.string().optional(),
    AlarmDescription: z.string().optional(),
    ActionsEnabled: z.boolean().optional(),
    AlarmActions: actions,
    OKActions: actions,
    InsufficientDataActions: actions,
    ComparisonOperator: z.enum(comparisons),
    EvaluationPeriods: z.number(),
    DatapointsToAlarm: z.number().optional(),
    Threshold: z.number().optional(),
    ThresholdMetricId: z.string().optional(),
    TreatMissingData: z.enum(['breaching', 'notBreaching', 'ignore', 'missing']).optional(),
    EvaluateLowSampleCountPercentile: z.string().optional(),
    Namespace: z.string().optional(),
    MetricName: z.string().optional(),
    Dimensions: dimensions.optional(),
    Period: z.number().optional(),
    Statistic: z.enum(['SampleCount', 'Average', 'Sum', 'Minimum', 'Maximum']).optional(),
    ExtendedStatistic: z.string().optional(),
    Unit: z.string().optional(),
    Metrics: z.array(metricDataQuery).optional(),
    Tags: tags.optional(),
  }),
  deploy: async (
    {
      AlarmName,
      AlarmDescription,
      ActionsEnabled = true,
      AlarmActions = [],
      OKActions = [],
      InsufficientDataActions = [],
      Tags: _,
      ...watched
    },
    { engines, stackName, logicalId, partition, region, accountId },
  ) => {
    const name = AlarmName ?? `${stackName}-${logicalId}`;
    const arn = `arn:${partition}:cloudwatch:${region}:${accountId}:alarm:${name}`;
    engines.alarms.declare({
      name,
      arn,
      ...(AlarmDescription !== undefined && { description: AlarmDescription }),
      actionsEnabled: ActionsEnabled,
      actions: { ALARM: AlarmActions, OK: OKActions, INSUFFICIENT_DATA: InsufficientDataActions },
      watched,
    });
    return { ref: name, attributes: { Arn: arn } };
  },
});
