import * as z from 'zod';
import type { Alarm, AlarmEngine, AlarmHistoryItem } from '../../engines/alarms/types.ts';
import type { Metrics } from '../../engines/metrics/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { epochSeconds, jsonOperation, jsonService } from '../json-protocol.ts';

const stateValue = z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']);
const time = z.number().transform((seconds) => new Date(seconds * 1_000));

const described = (alarm: Alarm) => ({
  AlarmName: alarm.name,
  AlarmArn: alarm.arn,
  AlarmDescription: alarm.description,
  ActionsEnabled: alarm.actionsEnabled,
  OKActions: alarm.actions.OK,
  AlarmActions: alarm.actions.ALARM,
  InsufficientDataActions: alarm.actions.INSUFFICIENT_DATA,
  StateValue: alarm.state,
  StateReason: alarm.stateReason,
  StateReasonData: alarm.stateReasonData,
  StateUpdatedTimestamp: epochSeconds(alarm.stateUpdated),
  StateTransitionedTimestamp: epochSeconds(alarm.stateUpdated),
  ...alarm.watched,
});

const told = (item: AlarmHistoryItem) => ({
  AlarmName: item.alarmName,
  AlarmType: 'MetricAlarm',
  Timestamp: epochSeconds(item.time),
  HistoryItemType: item.type,
  HistorySummary: item.summary,
  HistoryData: item.data,
});

const dimensionsSchema = z.array(z.object({ Name: z.string(), Value: z.string() }));

/** Metric math is not supported. */
const querySchema = z.object({
  Id: z.string().regex(/^[a-z][a-zA-Z0-9_]*$/),
  Label: z.string().optional(),
  ReturnData: z.literal(true).optional(),
  MetricStat: z.object({
    Metric: z.object({
      Namespace: z.string(),
      MetricName: z.string(),
      Dimensions: dimensionsSchema.default([]),
    }),
    Period: z.int().positive().multipleOf(60),
    Stat: z.string(),
    Unit: z.string().optional(),
  }),
});

const namedDimensions = (dimensions: z.infer<typeof dimensionsSchema>): Record<string, string> =>
  Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]));

/**
 * CloudWatch's alarms and metrics, in the protocol that the SDK uses (AWS JSON 1.0). Results are never split into
 * pages.
 */
export const cloudWatchService = ({
  alarms,
  metrics,
}: {
  readonly alarms: AlarmEngine;
  readonly metrics: Pick<Metrics, 'query' | 'list'>;
}) =>
  jsonService(
    {
      GetMetricData: jsonOperation(
        z.object({
          // API Reference, *GetMetricData*: "up to 500".
          MetricDataQueries: z.array(querySchema).min(1).max(500),
          StartTime: time,
          EndTime: time,
          ScanBy: z.enum(['TimestampDescending', 'TimestampAscending']).default('TimestampDescending'),
        }),
        ({ MetricDataQueries, StartTime, EndTime, ScanBy }, call) => {
          call.allow('cloudwatch:GetMetricData', '*');
          if (StartTime >= EndTime) {
            throw new ServiceFault({
              code: 'ValidationError',
              message: 'The parameter StartTime must be less than the parameter EndTime.',
            });
          }
          const results = MetricDataQueries.map(({ Id, Label, MetricStat }) => {
            const { Metric, Period, Stat } = MetricStat;
            const ascending = metrics.query({
              namespace: Metric.Namespace,
              name: Metric.MetricName,
              dimensions: namedDimensions(Metric.Dimensions),
              statistic: Stat,
              periodSeconds: Period,
              from: StartTime.getTime(),
              to: EndTime.getTime(),
            });
            const points = ScanBy === 'TimestampAscending' ? ascending : ascending.toReversed();
            return {
              Id,
              Label: Label ?? Metric.MetricName,
              Timestamps: points.map(({ at }) => at / 1_000),
              Values: points.map(({ value }) => value),
              StatusCode: 'Complete',
            };
          });
          return { MetricDataResults: results, Messages: [] };
        },
      ),
      ListMetrics: jsonOperation(
        z.object({ Namespace: z.string().optional(), MetricName: z.string().optional() }),
        ({ Namespace, MetricName }, call) => {
          call.allow('cloudwatch:ListMetrics', '*');
          const found = metrics
            .list()
            .filter(
              ({ namespace, name }) =>
                (Namespace ?? namespace) === namespace && (MetricName ?? name) === name,
            );
          return {
            Metrics: found.map(({ namespace, name, dimensions }) => ({
              Namespace: namespace,
              MetricName: name,
              Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
            })),
          };
        },
      ),
      SetAlarmState: jsonOperation(
        z.object({
          AlarmName: z.string(),
          StateValue: stateValue,
          StateReason: z.string().max(1_023),
          StateReasonData: z.string().max(4_000).optional(),
        }),
        async ({ AlarmName, StateValue, StateReason, StateReasonData }, call) => {
          const arn = alarms.list().find(({ name }) => name === AlarmName)?.arn ?? '*';
          call.allow('cloudwatch:SetAlarmState', arn);
          await alarms.setState({
            name: AlarmName,
            state: StateValue,
            reason: StateReason,
            ...(StateReasonData !== undefined && { reasonData: StateReasonData }),
          });
        },
      ),
      DescribeAlarms: jsonOperation(
        z.object({
          AlarmNames: z.array(z.string()).optional(),
          AlarmNamePrefix: z.string().optional(),
          StateValue: stateValue.optional(),
        }),
        ({ AlarmNames, AlarmNamePrefix = '', StateValue }, call) => {
          call.allow('cloudwatch:DescribeAlarms', '*');
          const found = alarms
            .list()
            .filter(
              ({ name, state }) =>
                (AlarmNames?.includes(name) ?? true) &&
                name.startsWith(AlarmNamePrefix) &&
                (StateValue ?? state) === state,
            );
          return { MetricAlarms: found.map(described), CompositeAlarms: [] };
        },
      ),
      DescribeAlarmHistory: jsonOperation(
        z.object({
          AlarmName: z.string().optional(),
          HistoryItemType: z.enum(['ConfigurationUpdate', 'StateUpdate', 'Action']).optional(),
          StartDate: time.optional(),
          EndDate: time.optional(),
          MaxRecords: z.int().min(1).max(100).optional(),
          ScanBy: z.enum(['TimestampDescending', 'TimestampAscending']).default('TimestampDescending'),
        }),
        ({ AlarmName, HistoryItemType, StartDate, EndDate, MaxRecords, ScanBy }, call) => {
          call.allow('cloudwatch:DescribeAlarmHistory', '*');
          const found = alarms
            .history()
            .filter(
              (item) =>
                (AlarmName ?? item.alarmName) === item.alarmName &&
                (HistoryItemType ?? item.type) === item.type &&
                (StartDate === undefined || item.time >= StartDate) &&
                (EndDate === undefined || item.time <= EndDate),
            );
          const ordered = ScanBy === 'TimestampAscending' ? found : found.toReversed();
          return { AlarmHistoryItems: ordered.slice(0, MaxRecords).map(told) };
        },
      ),
    },
    '1.0',
  );
