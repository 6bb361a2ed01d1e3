import * as z from 'zod';
import type { Alarm, AlarmEngine, AlarmHistoryItem } from '../../engines/alarms/types.ts';
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

/** CloudWatch's alarms, in the protocol of the SDK (AWS JSON 1.0). Answers are never in pages. */
export const cloudWatchService = (alarms: AlarmEngine) =>
  jsonService(
    {
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
